#include "refresh/refresh_compare.h"

/* The least costs that the neighbours give a node, in every row of one direction. `over` is set in
 * lanes where a cost was above `most`, and so counts as unreachable. The same text for both widths;
 * the loops are vectorised by compilers. */
#define DEFINE_LEAST(name, entry, never, most)                                           \
  CN_ALWAYS_INLINE void name##_by(const cairn_table *table, cn_arc_span arcs,            \
                                  entry *restrict least, entry *restrict over)           \
  {                                                                                      \
    const uint32_t lane_count = table->lane_count;                                       \
    memset(least, 0xff, lane_count * sizeof *least);                                     \
    for (size_t i = 0; i < arcs.count; i++) {                                            \
      const entry *from = (const entry *)table->entries +                                \
                          cn_table_index(table, arcs.arcs[i].to, 0);                     \
      const entry cost = (entry)(arcs.arcs[i].cost < never ? arcs.arcs[i].cost : never); \
      for (uint32_t lane = 0; lane < lane_count; lane++) {                               \
        entry sum = (entry)(from[lane] + cost);                                          \
        sum = sum < cost || sum > most ? (entry)never : sum;                             \
        over[lane] |= (entry)((sum == never) & (from[lane] != never));                   \
        least[lane] = sum < least[lane] ? sum : least[lane];                             \
      }                                                                                  \
    }                                                                                    \
  }                                                                                      \
                                                                                         \
  static void name(const cairn_table *table, const cairn_map *map, cairn_node node,      \
                   entry *restrict least, entry *restrict over)                          \
  {                                                                                      \
    cn_arc scratch[CN_ARCS_SCRATCH];                                                     \
    entry back[CN_LANES_MAX];                                                            \
    name##_by(table, cn_map_arcs(map, node, CN_REVERSE, scratch), least, over);          \
    if (!table->is_directed)                                                             \
      return;                                                                            \
    name##_by(table, cn_map_arcs(map, node, CN_FORWARD, scratch), back, over);           \
    for (uint32_t lane = 1; lane < table->lane_count; lane += 2)                         \
      least[lane] = back[lane];                                                          \
  }

DEFINE_LEAST(least_16, uint16_t, UINT16_MAX, UINT16_MAX - 1)
DEFINE_LEAST(least_32, uint32_t, UINT32_MAX, CAIRN_COST_MAX)

#define DEFINE_COMPARE(name, entry, never, member, least_of)                           \
  static void name(const cairn_table *table, const cairn_map *map, cairn_node node,    \
                   cn_findings *found)                                                 \
  {                                                                                    \
    const entry *own = (const entry *)table->entries + cn_table_index(table, node, 0); \
    entry least[CN_LANES_MAX], *high = found->high.member, *low = found->low.member;   \
    least_of(table, map, node, least, high);                                           \
    for (uint32_t lane = 0; lane < table->lane_count; lane++) {                        \
      high[lane] |= (entry)(least[lane] < own[lane]);                                  \
      low[lane] |= (entry)((least[lane] > own[lane]) & (own[lane] != 0));              \
    }                                                                                  \
    for (uint32_t lane = 0; lane < table->lane_count && table->is_directed; lane++)    \
      found->lonely.member[lane] |= (entry)(own[lane] == never);                       \
  }

DEFINE_COMPARE(compare_16, uint16_t, UINT16_MAX, narrow, least_16)
DEFINE_COMPARE(compare_32, uint32_t, UINT32_MAX, wide, least_32)

void cn_compare_cell(const cn_refresh *self, cairn_node node, cn_findings *found)
{
    if (self->table->entry_bits == 16)
        compare_16(self->table, self->map, node, found);
    else
        compare_32(self->table, self->map, node, found);
}

void cn_compare_and_pull(const cn_refresh *self, cairn_node node, cn_findings *found)
{
    const cairn_table *table = self->table;
    if (table->entry_bits == 16) {
        uint16_t least[CN_LANES_MAX], *own = cn_refresh_entries_to_write(table, node);
        least_16(table, self->map, node, least, found->high.narrow);
        memcpy(own, least, cn_refresh_entries_size(table));
        for (uint32_t row = 0; row < table->row_count; row++)
            found->lonely.narrow[row] |= (uint16_t)(least[row] == UINT16_MAX);
    } else {
        uint32_t least[CN_LANES_MAX], *own = cn_refresh_entries_to_write(table, node);
        least_32(table, self->map, node, least, found->high.wide);
        memcpy(own, least, cn_refresh_entries_size(table));
        for (uint32_t row = 0; row < table->row_count; row++)
            found->lonely.wide[row] |= (uint32_t)(least[row] == UINT32_MAX);
    }
}

void cn_findings_add(const cairn_table *table, const cn_findings *more, cn_findings *found)
{
    for (uint32_t i = 0; i < table->lane_count; i++) {
        found->high.wide[i] |= more->high.wide[i];
        found->low.wide[i] |= more->low.wide[i];
        found->lonely.wide[i] |= more->lonely.wide[i];
    }
}

bool cn_found_in_row(const cairn_table *table, const cn_row_flags *found, uint32_t row)
{
    return table->entry_bits == 16 ? found->narrow[row] != 0 : found->wide[row] != 0;
}

bool cn_found_in_any(const cairn_table *table, const cn_row_flags *found)
{
    uint32_t row = 0;
    while (row < table->row_count && !cn_found_in_row(table, found, row))
        row++;
    return row < table->row_count;
}
