/* Reads whole files into memory. */
#ifndef CN_IO_FILE_H
#define CN_IO_FILE_H

#include "base/mem.h"

/* The bytes of a file. *bytes comes from `mem`, and the caller frees it. After CAIRN_E_IO errno has
 * the reason; CAIRN_E_LIMIT for more than 2 GiB. Reads pipes as well as files. */
cairn_status cn_file_read(const char *path, const cn_mem *mem, uint8_t **bytes, size_t *size);

#endif
