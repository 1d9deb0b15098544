/* What the command line calls the choices that a map leaves open. */
#ifndef KIT_MAP_WORDS_H
#define KIT_MAP_WORDS_H

/* Each in the order of the library's numbers, up to NULL: cairn_rule, cairn_charge, cairn_anchor.
 */
extern const char *const kit_moves[];
extern const char *const kit_charges[];
extern const char *const kit_anchors[];

#endif
