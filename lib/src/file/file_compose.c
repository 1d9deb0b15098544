#include "file/file_compose.h"

#include <string.h>
#include <zlib.h>

#include "file/file_format.h"
#include "io/deflate.h"

/* ----------------------------------------------------------------------------- sections -- */

static void seal_section(uint8_t *section, size_t size)
{
    uint32_t crc = (uint32_t)crc32(0, section, CN_SECTION_AT_CRC);
    crc = (uint32_t)crc32(crc, section + CN_SECTION_AT_SIZE, 8);
    if (!(section[CN_SECTION_AT_FLAGS] & CN_SECTION_SELF_CHECKED))
        crc = (uint32_t)crc32_z(crc, section + CN_SECTION_HEAD_SIZE, size);
    cn_put_u32(section + CN_SECTION_AT_CRC, crc);
}

static void put_section_head(uint8_t *head, uint32_t type, uint64_t size, uint8_t flags)
{
    cn_put_u32(head + CN_SECTION_AT_TYPE, type);
    cn_put_u64(head + CN_SECTION_AT_SIZE, size);
    head[CN_SECTION_AT_FLAGS] = flags;
}

size_t cn_begin_section(cn_buffer *buffer)
{
    size_t start = buffer->size;
    cn_buffer_extend(buffer, CN_SECTION_HEAD_SIZE);
    return start;
}

static void end_section_as(cn_buffer *buffer, size_t start, uint32_t type, uint8_t flags)
{
    if (buffer->status != CAIRN_OK)
        return;
    uint8_t *section = buffer->bytes + start;
    size_t size = buffer->size - start - CN_SECTION_HEAD_SIZE;
    put_section_head(section, type, size, flags);
    seal_section(section, size);
}

void cn_end_section(cn_buffer *buffer, size_t start, uint32_t type)
{
    end_section_as(buffer, start, type, CN_SECTION_REQUIRED);
}

void cn_put_section(cn_buffer *buffer, uint32_t type, const void *payload, size_t size)
{
    size_t start = cn_begin_section(buffer);
    cn_buffer_append(buffer, payload, size);
    cn_end_section(buffer, start, type);
}

/* Readers that do not know the section skip it. */
static void put_mark(cn_buffer *buffer, uint32_t type, const void *payload, size_t size)
{
    size_t start = cn_begin_section(buffer);
    cn_buffer_append(buffer, payload, size);
    end_section_as(buffer, start, type, 0);
}

/* ------------------------------------------------------------------------------- content -- */

static void put_header(cn_buffer *buffer, bool has_marks)
{
    uint8_t header[CN_HEADER_SIZE];
    memcpy(header, CN_MAGIC, CN_MAGIC_SIZE);
    cn_put_u16(header + CN_HEADER_AT_MAJOR, CN_VERSION_MAJOR);
    cn_put_u16(header + CN_HEADER_AT_MINOR, has_marks ? CN_VERSION_MARKED : CN_VERSION_MINOR);
    cn_put_u32(header + CN_HEADER_AT_CRC, (uint32_t)crc32(0, header, CN_HEADER_AT_CRC));
    cn_buffer_append(buffer, header, sizeof header);
}

static void put_stamp(cn_buffer *buffer, uint64_t stamp)
{
    uint8_t payload[CN_STAMP_SIZE];
    cn_put_u64(payload, stamp);
    put_mark(buffer, CN_TYPE_STAMP, payload, sizeof payload);
}

static void put_part(cn_buffer *buffer, const cairn_part *part)
{
    uint8_t payload[CN_PART_SIZE] = {0};

    cn_put_u32(payload + CN_PART_AT_NUMBER, part->number);
    cn_put_u32(payload + CN_PART_AT_COUNT, part->count);
    cn_put_u32(payload + CN_PART_AT_FIRST_ROW, part->first_row);
    cn_put_u32(payload + CN_PART_AT_ROWS, part->row_count);
    cn_put_u64(payload + CN_PART_AT_SEED, part->seed);
    cn_put_u64(payload + CN_PART_AT_LANDMARKS, part->landmarks);
    payload[CN_PART_AT_CODEC] = (uint8_t)part->codec;
    put_mark(buffer, CN_TYPE_PART, payload, sizeof payload);
}

static void put_units(cn_buffer *buffer, uint32_t size, cairn_anchor anchor)
{
    uint8_t payload[CN_UNITS_SIZE] = {0};

    cn_put_u16(payload + CN_UNITS_AT_SIDE, (uint16_t)size);
    payload[CN_UNITS_AT_ANCHOR] = (uint8_t)anchor;
    put_mark(buffer, CN_TYPE_UNITS, payload, sizeof payload);
}

static void put_marks(cn_buffer *buffer, const cn_marks *marks)
{
    if (marks->stamp)
        put_stamp(buffer, marks->stamp);
    if (marks->part.number)
        put_part(buffer, &marks->part);
    if (marks->unit_size > 1)
        put_units(buffer, marks->unit_size, marks->unit_anchor);
}

static void put_metric(cn_buffer *buffer, cairn_metric metric)
{
    uint8_t payload[CN_METRIC_SIZE];
    cn_put_metric(payload, metric);
    cn_put_section(buffer, CN_TYPE_METRIC, payload, sizeof payload);
}

static void put_table_head(cn_buffer *buffer, const cn_table_facts *facts, uint32_t row_count)
{
    uint8_t payload[CN_TABLE_HEAD_SIZE] = {0};

    cn_put_u64(payload + CN_TABLE_AT_HASH, facts->map_hash);
    cn_put_u32(payload + CN_TABLE_AT_NODES, facts->node_count);
    cn_put_u32(payload + CN_TABLE_AT_ROWS, row_count);
    cn_put_metric(payload + CN_TABLE_AT_METRIC, facts->metric);
    payload[CN_TABLE_AT_BITS] = (uint8_t)facts->entry_bits;
    payload[CN_TABLE_AT_KIND] = facts->is_directed ? CN_ROWS_PAIRS : CN_ROWS_SYMMETRIC;
    payload[CN_TABLE_AT_COSTS] = facts->counts_steps ? CN_COSTS_STEPS : CN_COSTS_OF_MAP;
    cn_put_section(buffer, CN_TYPE_TABLE, payload, sizeof payload);
}

static void put_landmarks(cn_buffer *buffer, cn_landmark_lists landmarks, uint32_t row_count)
{
    cn_buffer unpacked = {.mem = buffer->mem};
    size_t start = cn_begin_section(buffer);

    for (uint32_t row = 0; row < row_count; row++) {
        const size_t first = landmarks.start[row], end = landmarks.start[row + 1];
        cairn_node before = 0;
        cn_buffer_varint(&unpacked, end - first);
        for (size_t i = first; i < end; i++) {
            cn_buffer_varint(&unpacked, landmarks.nodes[i] - before);
            before = landmarks.nodes[i];
        }
    }
    cn_buffer_deflated(buffer, &unpacked, cn_deflate_alike); /* parts are merged */
    cn_buffer_free(&unpacked);
    cn_end_section(buffer, start, CN_TYPE_LANDMARKS);
}

static void put_directory(cn_buffer *buffer, const cn_packed *rows, uint32_t row_count)
{
    size_t start = cn_begin_section(buffer);

    for (uint32_t row = 0; row < row_count; row++) {
        uint8_t crc[4];
        cn_put_u32(crc, (uint32_t)crc32_z(0, rows[row].bytes, rows[row].size));
        cn_buffer_varint(buffer, rows[row].codec_id);
        cn_buffer_varint(buffer, rows[row].size);
        cn_buffer_append(buffer, crc, sizeof crc);
    }
    cn_end_section(buffer, start, CN_TYPE_DIRECTORY);
}

static void put_rows_head(cn_buffer *buffer, const cn_packed *rows, uint32_t row_count)
{
    uint8_t head[CN_SECTION_HEAD_SIZE] = {0};
    uint64_t size = 0;

    for (uint32_t row = 0; row < row_count; row++)
        size += rows[row].size;
    put_section_head(head, CN_TYPE_ROWS, size, CN_SECTION_REQUIRED | CN_SECTION_SELF_CHECKED);
    seal_section(head, 0);
    cn_buffer_append(buffer, head, sizeof head);
}

cairn_status cn_compose(cn_composition *file)
{
    cn_buffer *head = &file->head;

    put_header(head, cn_marks_are_there(&file->marks));
    put_marks(head, &file->marks);
    if (file->map) {
        cn_buffer_append(head, file->map->bytes, file->map->size);
        put_metric(head, file->map_metric);
    }
    put_table_head(head, &file->facts, file->row_count);
    put_landmarks(head, file->landmarks, file->row_count);
    put_directory(head, file->rows, file->row_count);
    put_rows_head(head, file->rows, file->row_count);
    cn_put_section(&file->tail, CN_TYPE_END, "", 0);
    return head->status != CAIRN_OK ? head->status : file->tail.status;
}

void cn_composition_free(cn_composition *file)
{
    cn_buffer_free(&file->head);
    cn_buffer_free(&file->tail);
}

/* --------------------------------------------------------------------------------- bytes -- */

size_t cn_composition_pieces(const cn_composition *file, cn_piece pieces[CN_PIECES_MAX])
{
    size_t count = 0;

    pieces[count++] = (cn_piece){file->head.bytes, file->head.size};
    for (uint32_t row = 0; row < file->row_count; row++)
        pieces[count++] = (cn_piece){file->rows[row].bytes, file->rows[row].size};
    pieces[count++] = (cn_piece){file->tail.bytes, file->tail.size};
    return count;
}

cairn_status cn_composition_write(const cn_composition *file, const char *path,
                                  const cairn_progress *progress)
{
    cn_piece pieces[CN_PIECES_MAX];
    size_t count = cn_composition_pieces(file, pieces);
    return cn_file_replace(path, pieces, count, progress);
}

uint64_t cn_landmarks_hash(cn_landmark_lists landmarks, uint32_t row_count)
{
    uint64_t hash = row_count;

    for (uint32_t row = 0; row < row_count; row++) {
        const size_t end = landmarks.start[row + 1];
        hash = cn_mix(hash + (end - landmarks.start[row]));
        for (size_t i = landmarks.start[row]; i < end; i++)
            hash = cn_mix(hash + landmarks.nodes[i]);
    }
    return hash;
}
