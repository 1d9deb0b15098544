#include "file/file_sections.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* What is known of the sections of a type. */
typedef struct section_kind {
    uint32_t type;
    uint8_t flags;
    uint64_t least; /* bytes of the payload */
    uint64_t most;
    const char *expected;      /* where another section stands: this one, or the first required */
    const char *expected_size; /* NULL: a longer or a shorter section */
} section_kind;

enum { REQUIRED = CN_SECTION_REQUIRED, SELF_CHECKED = CN_SECTION_SELF_CHECKED };

/* The known sections in the order of the file. Any other is skipped, or refused if it is required;
 * so a section has to have its row here before anything can open it. */
static const section_kind kinds[] = {
    {CN_TYPE_STAMP, 0, CN_STAMP_SIZE, CN_STAMP_SIZE, "section MAP", "a section of 8 bytes"},
    {CN_TYPE_PART, 0, CN_PART_SIZE, CN_PART_SIZE, "section MAP", "a section of 40 bytes"},
    {CN_TYPE_UNITS, 0, CN_UNITS_SIZE, CN_UNITS_SIZE, "section MAP", "a section of 8 bytes"},
    {CN_TYPE_MAP, REQUIRED, CN_MAP_HEAD_SIZE, UINT64_MAX, "section MAP", NULL},
    {CN_TYPE_METRIC, REQUIRED, CN_METRIC_SIZE, CN_METRIC_SIZE, "section METR", NULL},
    {CN_TYPE_TABLE, REQUIRED, CN_TABLE_HEAD_SIZE, CN_TABLE_HEAD_SIZE, "section TABL", NULL},
    {CN_TYPE_LANDMARKS, REQUIRED, 1, UINT64_MAX, "section LAND", NULL},
    {CN_TYPE_DIRECTORY, REQUIRED, 1, UINT64_MAX, "section RDIR", NULL},
    {CN_TYPE_ROWS, REQUIRED | SELF_CHECKED, 0, UINT64_MAX, "section ROWS", NULL},
    {CN_TYPE_END, REQUIRED, 0, 0, "section END", NULL},
};

static const section_kind *kind_of(uint32_t type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].type == type)
            return &kinds[i];
    }
    return NULL;
}

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
    if (cn_get_u32(header + CN_HEADER_AT_CRC) != (uint32_t)crc32(0, header, CN_HEADER_AT_CRC))
        return cn_sections_wrong(in, CN_HEADER_AT_CRC, "the checksum of the header");
    const uint16_t major = cn_get_u16(header + CN_HEADER_AT_MAJOR);
    return major == CN_VERSION_MAJOR
               ? CAIRN_OK
               : cn_sections_unknown(in, CN_HEADER_AT_MAJOR, "version 1", major);
}

static uint32_t crc_of_head(const uint8_t *head)
{
    return (uint32_t)crc32_z(crc32_z(0, head, CN_SECTION_AT_CRC), head + CN_SECTION_AT_SIZE, 8);
}

static cairn_status compare_crc(cn_sections *in, uint32_t crc)
{
    if (crc != cn_get_u32(in->head + CN_SECTION_AT_CRC))
        return cn_sections_wrong(in, in->head_start + CN_SECTION_AT_CRC,
                                 "the checksum of the section");
    return CAIRN_OK;
}

static cairn_status check_crc(cn_sections *in, const cn_section *section)
{
    uint32_t crc = crc_of_head(in->head);
    if (!(section->flags & CN_SECTION_SELF_CHECKED) && section->size > 0)
        crc = (uint32_t)crc32_z(crc, section->payload.bytes, (size_t)section->size);
    return compare_crc(in, crc);
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
static cairn_status pass_over(cn_sections *in, const cn_section *section, const char *expected)
{
    uint32_t crc = crc_of_head(in->head);

    if (section->flags & CN_SECTION_REQUIRED)
        return cn_error_at_byte(in->error, CAIRN_E_VERSION, in->head_start, expected,
                                (const char *)in->head, 4);
    cairn_status status = skip_payload(in, section, &crc);
    if (status != CAIRN_OK)
        return cn_sections_source_failed(in, status, section->start, "the bytes of a section");
    return compare_crc(in, crc);
}

static cn_section section_of(const cn_sections *in)
{
    return (cn_section){
        .start = in->head_start + CN_SECTION_HEAD_SIZE,
        .size = cn_get_u64(in->head + CN_SECTION_AT_SIZE) & (UINT64_MAX >> 8),
        .flags = in->head[CN_SECTION_AT_FLAGS],
    };
}

static cairn_status read_head(cn_sections *in, const char *expected)
{
    in->head_start = in->source.offset;
    cairn_status status = cn_source_read(&in->source, in->head, CN_SECTION_HEAD_SIZE);
    if (status != CAIRN_OK)
        return cn_sections_source_failed(in, status, in->head_start, expected);
    const uint8_t flags = in->head[CN_SECTION_AT_FLAGS];
    if (flags & ~(CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED))
        return cn_sections_wrong_number(in, in->head_start + CN_SECTION_AT_FLAGS,
                                        "section flags 0 to 3", flags);
    return CAIRN_OK;
}

cairn_status cn_sections_next(cn_sections *in, const char *expected, uint32_t *type)
{
    while (!in->has_head) {
        cairn_status status = read_head(in, expected);
        if (status != CAIRN_OK)
            return status;
        cn_section section = section_of(in);
        in->has_head = kind_of(cn_get_u32(in->head + CN_SECTION_AT_TYPE)) != NULL;
        if (!in->has_head)
            status = pass_over(in, &section, expected);
        if (status != CAIRN_OK)
            return status;
    }
    *type = cn_get_u32(in->head + CN_SECTION_AT_TYPE);
    return CAIRN_OK;
}

/* Flags and size. */
static cairn_status check_kind(cn_sections *in, const section_kind *kind, const cn_section *section)
{
    static const char *const flags[] = {"section flags 0", "section flags 1", "section flags 2",
                                        "section flags 3"};
    const char *size = kind->expected_size;

    if (section->flags != kind->flags)
        return cn_sections_wrong_number(in, in->head_start + CN_SECTION_AT_FLAGS,
                                        flags[kind->flags], section->flags);
    if (section->size >= kind->least && section->size <= kind->most)
        return CAIRN_OK;
    if (!size)
        size = section->size < kind->least ? "a longer section" : "a shorter section";
    return cn_sections_wrong_number(in, in->head_start + CN_SECTION_AT_SIZE, size, section->size);
}

static cairn_status take_payload(cn_sections *in, cn_section *section)
{
    if (section->flags & CN_SECTION_SELF_CHECKED)
        return CAIRN_OK;
    cairn_status status = cn_source_take(&in->source, section->size, &section->payload);
    if (status != CAIRN_OK)
        cn_sections_source_failed(in, status, section->start, "the bytes of a section");
    return status;
}

cairn_status cn_sections_open(cn_sections *in, uint32_t type, cn_section *section)
{
    const section_kind *kind = kind_of(type);
    uint32_t found = 0;
    CN_ASSERT(kind);
    cairn_status status = cn_sections_next(in, kind->expected, &found);

    *section = section_of(in);
    if (status != CAIRN_OK)
        return status;
    if (found != type)
        return cn_error_at_byte(in->error, CAIRN_E_FORMAT, in->head_start, kind->expected,
                                (const char *)in->head, 4);
    in->has_head = false;
    status = take_payload(in, section);
    if (status == CAIRN_OK)
        status = check_crc(in, section);
    if (status == CAIRN_OK)
        status = check_kind(in, kind, section);
    if (status != CAIRN_OK)
        cn_sections_close(in, section);
    return status;
}

cairn_status cn_sections_open_if_next(cn_sections *in, uint32_t type, cn_section *section)
{
    const section_kind *kind = kind_of(type);
    uint32_t next;
    CN_ASSERT(kind);

    *section = (cn_section){.size = 0};
    cairn_status status = cn_sections_next(in, kind->expected, &next);
    return status == CAIRN_OK && next == type ? cn_sections_open(in, type, section) : status;
}

void cn_sections_close(const cn_sections *in, cn_section *section)
{
    cn_chunk_free(&in->source, &section->payload);
}
