/* Formats of exported files, in the order of their names. */
#ifndef EXPORT_FORMATS_H
#define EXPORT_FORMATS_H

enum { PNG_FORMAT, RAW_FORMAT, CSV_FORMAT, FORMATS, FORMAT_BY_NAME = FORMATS };

#endif
