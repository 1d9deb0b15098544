#include "file/file_sections.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

cairn_status cn_sections_wrong(cn_sections *in, uint64_t offset, const char *expected)
{
    return cn_error_at_byte(in->error, CAIRN_E_FORMAT, offset, expected, NULL, 0);
}

cairn_status cn_sections_wrong_number(cn_sections *in, uint64_t offset, const char *expected,
                                      uint64_t found)
{
    char text[24];
    int size = snprintf(text, sizeof text, "%" PRIu64, found);
    return cn_error_at_byte(in->error, CAIRN_E_FORMAT, offset, expected, text, (size_t)size);
}

cairn_status cn_sections_unknown(cn_sections *in, uint64_t offset, const char *expected,
                                 uint64_t found)
{
    cn_sections_wrong_number(in, offset, expected, found);
    if (in->error)
        in->error->status = CAIRN_E_VERSION;
    return CAIRN_E_VERSION;
}

cairn_status cn_sections_failed(cn_sections *in, cairn_status status)
{
    return cn_error_general(in->error, status, NULL);
}

cairn_status cn_sections_source_failed(cn_sections *in, cairn_status status, uint64_t offset,
                                       const char *expected)
{
    if (status == CAIRN_E_FORMAT)
        return cn_error_at_byte(in->error, status, offset, expected, "the end of the file", 19);
    return cn_sections_failed(in, status);
}

cairn_status cn_sections_header(cn_sections *in)
{
    uint8_t header[CN_HEADER_SIZE];
    cairn_status status = cn_source_read(&in->source, header, sizeof header);

    if (status != CAIRN_OK)
        return cn_sections_source_failed(in, status, 0, "the header of a cairn file");
    if (memcmp(header, CN_MAGIC, CN_MAGIC_SIZE) != 0)
        return cn_error_at_byte(in->error, CAIRN_E_FORMAT, 0, "the first bytes of a cairn file",
                                (const char *)header, CN_MAGIC_SIZE);
    if (cn_get_u32(header + 12) != (uint32_t)crc32(0, header, 12))
        return cn_sections_wrong(in, 12, "the checksum of the header");
    if (cn_get_u16(header + 8) != CN_VERSION_MAJOR)
        return cn_sections_unknown(in, 8, "version 1", cn_get_u16(header + 8));
    return CAIRN_OK;
}

static uint32_t crc_of_head(const uint8_t *head)
{
    return (uint32_t)crc32_z(crc32_z(0, head, 4), head + 8, 8);
}

static cairn_status compare_crc(cn_sections *in, const uint8_t *head, const cn_section *section,
                                uint32_t crc)
{
    if (crc != cn_get_u32(head + 4))
        return cn_sections_wrong(in, section->start - 12, "the checksum of the section");
    return CAIRN_OK;
}

static cairn_status check_crc(cn_sections *in, const uint8_t *head, const cn_section *section)
{
    uint32_t crc = crc_of_head(head);
    if (!(section->flags & CN_SECTION_SELF_CHECKED) && section->size > 0)
        crc = (uint32_t)crc32_z(crc, section->payload.bytes, (size_t)section->size);
    return compare_crc(in, head, section, crc);
}

/* Skips a payload, and takes it into the checksum of the section where that covers it. */
static cairn_status skip_payload(cn_sections *in, const cn_section *section, uint32_t *crc)
{
    uint8_t bytes[1024];

    if (section->flags & CN_SECTION_SELF_CHECKED)
        return cn_source_skip(&in->source, section->size);
    for (uint64_t left = section->size; left > 0;) {
        const size_t count = left < sizeof bytes ? (size_t)left : sizeof bytes;
        const cairn_status status = cn_source_read(&in->source, bytes, count);
        if (status != CAIRN_OK)
            return status;
        *crc = (uint32_t)crc32_z(*crc, bytes, count);
        left -= count;
    }
    return CAIRN_OK;
}

/* Skips a section of unknown type, which may be a known one whose type is damaged. */
static cairn_status pass_over(cn_sections *in, const uint8_t *head, const cn_section *section,
                              const char *expected)
{
    uint64_t start = section->start - CN_SECTION_HEAD_SIZE;
    uint32_t crc = crc_of_head(head);

    if (section->flags & CN_SECTION_REQUIRED)
        return cn_error_at_byte(in->error, CAIRN_E_VERSION, start, expected, (const char *)head, 4);
    cairn_status status = skip_payload(in, section, &crc);
    if (status != CAIRN_OK)
        return cn_sections_source_failed(in, status, section->start, "the bytes of a section");
    return compare_crc(in, head, section, crc);
}

static bool type_is_known(uint32_t type)
{
    return type == CN_TYPE_STAMP || type == CN_TYPE_PART || type == CN_TYPE_UNITS ||
           type == CN_TYPE_MAP || type == CN_TYPE_METRIC || type == CN_TYPE_TABLE ||
           type == CN_TYPE_LANDMARKS || type == CN_TYPE_DIRECTORY || type == CN_TYPE_ROWS ||
           type == CN_TYPE_END;
}

static cn_section section_of(const cn_sections *in)
{
    return (cn_section){
        .start = in->head_start + CN_SECTION_HEAD_SIZE,
        .size = cn_get_u64(in->head + 8) & (UINT64_MAX >> 8),
        .flags = in->head[15],
    };
}

static cairn_status read_head(cn_sections *in, const char *expected)
{
    in->head_start = in->source.offset;
    cairn_status status = cn_source_read(&in->source, in->head, CN_SECTION_HEAD_SIZE);
    if (status != CAIRN_OK)
        return cn_sections_source_failed(in, status, in->head_start, expected);
    if (in->head[15] & ~(CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED))
        return cn_sections_wrong_number(in, in->head_start + 15, "section flags 0 to 3",
                                        in->head[15]);
    return CAIRN_OK;
}

cairn_status cn_sections_next(cn_sections *in, const char *expected, uint32_t *type)
{
    while (!in->has_head) {
        cairn_status status = read_head(in, expected);
        if (status != CAIRN_OK)
            return status;
        cn_section section = section_of(in);
        in->has_head = type_is_known(cn_get_u32(in->head));
        if (!in->has_head)
            status = pass_over(in, in->head, &section, expected);
        if (status != CAIRN_OK)
            return status;
    }
    *type = cn_get_u32(in->head);
    return CAIRN_OK;
}

cairn_status cn_sections_open(cn_sections *in, uint32_t type, const char *expected,
                              cn_section *section)
{
    uint32_t found = 0;
    cairn_status status = cn_sections_next(in, expected, &found);

    *section = section_of(in);
    if (status != CAIRN_OK)
        return status;
    if (found != type)
        return cn_error_at_byte(in->error, CAIRN_E_FORMAT, in->head_start, expected,
                                (const char *)in->head, 4);
    in->has_head = false;
    if (!(section->flags & CN_SECTION_SELF_CHECKED)) {
        status = cn_source_take(&in->source, section->size, &section->payload);
        if (status != CAIRN_OK) {
            cn_sections_close(in, section);
            return cn_sections_source_failed(in, status, section->start, "the bytes of a section");
        }
    }
    status = check_crc(in, in->head, section);
    if (status != CAIRN_OK)
        cn_sections_close(in, section);
    return status;
}

cairn_status cn_sections_open_checked(cn_sections *in, uint32_t type, const char *expected,
                                      uint64_t least, uint64_t most, cn_section *section)
{
    cairn_status status = cn_sections_open(in, type, expected, section);
    if (status != CAIRN_OK)
        return status;
    if (section->flags == CN_SECTION_REQUIRED && section->size >= least && section->size <= most)
        return CAIRN_OK;
    cn_sections_close(in, section);
    if (section->flags != CN_SECTION_REQUIRED)
        return cn_sections_wrong_number(in, section->start - 1, "section flags 1", section->flags);
    return cn_sections_wrong_number(
        in, section->start - 8, section->size < least ? "a longer section" : "a shorter section",
        section->size);
}

void cn_sections_close(const cn_sections *in, cn_section *section)
{
    cn_chunk_free(&in->source, &section->payload);
}
