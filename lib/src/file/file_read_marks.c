/* The sections before the map, which readers that do not know them skip. */
#include "file/file_read.h"

static cairn_status read_stamp(cn_reader *in)
{
    cn_section section;
    cairn_status status = cn_sections_open_if_next(&in->sections, CN_TYPE_STAMP, &section);
    if (status != CAIRN_OK || !section.payload.bytes)
        return status;
    in->marks.stamp = cn_get_u64(section.payload.bytes);
    if (!in->marks.stamp)
        status = cn_sections_wrong(&in->sections, section.start, "a stamp other than 0");
    cn_sections_close(&in->sections, &section);
    return status;
}

static bool part_is_possible(const cairn_part *part)
{
    return part->number > 0 && part->number <= part->count && part->count <= part->row_count &&
           part->row_count <= CAIRN_ROWS_MAX && part->first_row < part->row_count &&
           (unsigned)part->codec <= CAIRN_CODEC_SEEDS;
}

static cairn_status read_part(cn_reader *in)
{
    cn_section section;
    cairn_status status = cn_sections_open_if_next(&in->sections, CN_TYPE_PART, &section);
    if (status != CAIRN_OK || !section.payload.bytes)
        return status;
    const uint8_t *bytes = section.payload.bytes;
    in->marks.part = (cairn_part){.number = cn_get_u32(bytes + CN_PART_AT_NUMBER),
                                  .count = cn_get_u32(bytes + CN_PART_AT_COUNT),
                                  .first_row = cn_get_u32(bytes + CN_PART_AT_FIRST_ROW),
                                  .row_count = cn_get_u32(bytes + CN_PART_AT_ROWS),
                                  .seed = cn_get_u64(bytes + CN_PART_AT_SEED),
                                  .landmarks = cn_get_u64(bytes + CN_PART_AT_LANDMARKS),
                                  .codec = (cairn_codec)bytes[CN_PART_AT_CODEC]};
    if (!part_is_possible(&in->marks.part))
        status = cn_sections_wrong(&in->sections, section.start, "a part of at most 256 rows");
    cn_sections_close(&in->sections, &section);
    return status;
}

static cairn_status read_units(cn_reader *in)
{
    cn_section section;
    in->marks.unit_size = 1;
    cairn_status status = cn_sections_open_if_next(&in->sections, CN_TYPE_UNITS, &section);
    if (status != CAIRN_OK || !section.payload.bytes)
        return status;
    const uint32_t size = cn_get_u16(section.payload.bytes + CN_UNITS_AT_SIDE);
    const uint32_t anchor = section.payload.bytes[CN_UNITS_AT_ANCHOR];
    in->marks.unit_size = size;
    in->marks.unit_anchor = (cairn_anchor)anchor;
    if (size < 2 || size > CAIRN_UNIT_SIZE_MAX)
        status = cn_sections_wrong_number(&in->sections, section.start + CN_UNITS_AT_SIDE,
                                          "units of 2 to 64 cells", size);
    else if (anchor > CAIRN_ANCHOR_MIDDLE)
        status = cn_sections_wrong_number(&in->sections, section.start + CN_UNITS_AT_ANCHOR,
                                          "an anchor, 0 or 1", anchor);
    cn_sections_close(&in->sections, &section);
    return status;
}

cairn_status cn_reader_take_marks(cn_reader *in)
{
    cairn_status status = read_stamp(in);
    if (status == CAIRN_OK)
        status = read_part(in);
    return status == CAIRN_OK ? read_units(in) : status;
}
