/* The parts of a table as one file: nothing is unpacked but the lists of landmarks. */
#include <string.h>

#include "file/file_compose.h"
#include "file/file_format.h"
#include "file/file_read.h"

typedef struct merging {
    cn_mem mem;
    cn_reader *files; /* in the order of the caller */
    size_t count;
    size_t *order; /* the index of the file of each part */
    cairn_merge_fault *fault;
    cn_composition whole;
    cn_buffer map;
    cn_packed *rows;
    size_t *landmark_start;
    cairn_node *landmarks;
} merging;

/* ------------------------------------------------------------------------------- refusals -- */

static cairn_status refuse(merging *job, size_t file, size_t other, const char *what)
{
    job->fault->file = file;
    job->fault->other = other;
    job->fault->what = what;
    return CAIRN_E_MISMATCH;
}

static cairn_status refuse_file(merging *job, size_t file, const char *expected)
{
    refuse(job, file, file, NULL);
    return cn_error_general(&job->fault->error, CAIRN_E_MISMATCH, expected);
}

static bool same_packed_map(const cn_reader *a, const cn_reader *b)
{
    return a->map_size == b->map_size &&
           (a->map_size == 0 ||
            memcmp(a->packed_map.bytes, b->packed_map.bytes, (size_t)a->map_size) == 0);
}

/* The hash of a map includes its metric. */
static const char *map_difference(const cn_reader *a, const cn_reader *b)
{
    const cn_table_facts *one = &a->facts, *other = &b->facts;

    if (!same_packed_map(a, b) || one->node_count != other->node_count ||
        a->marks.unit_size != b->marks.unit_size || a->marks.unit_anchor != b->marks.unit_anchor)
        return "map";
    if (!cn_metric_is_same(one->metric, other->metric) ||
        one->counts_steps != other->counts_steps ||
        !cn_metric_is_same(a->map_outline.metric, b->map_outline.metric))
        return "metric";
    return one->map_hash != other->map_hash || one->is_directed != other->is_directed ? "map"
                                                                                      : NULL;
}

static const char *difference(const cn_reader *a, const cn_reader *b)
{
    const cairn_part *one = &a->marks.part, *other = &b->marks.part;
    const char *what = map_difference(a, b);

    if (what)
        return what;
    if (one->row_count != other->row_count)
        return "rows";
    if (one->count != other->count)
        return "parts";
    if (one->seed != other->seed)
        return "seed";
    if (one->codec != other->codec)
        return "codec";
    if (one->landmarks != other->landmarks || a->facts.entry_bits != b->facts.entry_bits)
        return "landmarks";
    return a->marks.stamp != b->marks.stamp ? "stamp" : NULL;
}

/* -------------------------------------------------------------------------------- reading -- */

static cairn_status read_part(merging *job, size_t index, const char *path)
{
    cn_reader *file = &job->files[index];

    file->sections.error = &job->fault->error;
    cairn_status status = path ? cn_reader_take_packed(file, path, &job->mem) : CAIRN_E_ARGUMENT;
    if (status != CAIRN_OK) {
        refuse(job, index, index, NULL);
        return status;
    }
    if (!file->marks.part.number)
        return refuse_file(job, index, "a part of a table, which says which one it is");
    const char *what = difference(file, &job->files[0]);
    return what ? refuse(job, index, 0, what) : CAIRN_OK;
}

static cairn_status read_parts(merging *job, const char *const *paths,
                               const cairn_progress *progress)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < job->count && status == CAIRN_OK; i++) {
        status = read_part(job, i, paths[i]);
        if (status == CAIRN_OK && !cn_progress_goes_on(progress, "read", i + 1, job->count))
            status = CAIRN_E_CANCELLED;
    }
    return status;
}

/* Every part once. */
static cairn_status sort_parts(merging *job)
{
    const uint32_t count = job->files[0].marks.part.count;

    job->order = cn_zeroed(&job->mem, count, sizeof *job->order);
    if (!job->order)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < job->count; i++) {
        size_t *place = &job->order[job->files[i].marks.part.number - 1];
        if (*place)
            return refuse(job, i, *place - 1, "part");
        *place = i + 1;
    }
    for (uint32_t part = 0; part < count; part++) {
        if (job->order[part] == 0) {
            job->fault->missing = part + 1;
            return CAIRN_E_MISMATCH;
        }
        job->order[part]--;
    }
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------- joining -- */

static cairn_status take_memory(merging *job)
{
    const uint32_t row_count = job->files[0].marks.part.row_count;
    size_t landmarks = 0;

    for (size_t i = 0; i < job->count; i++)
        landmarks += job->files[i].landmark_start[job->files[i].row_count];
    job->rows = cn_zeroed(&job->mem, row_count, sizeof *job->rows);
    job->landmark_start = cn_zeroed(&job->mem, row_count + 1u, sizeof *job->landmark_start);
    job->landmarks = cn_array(&job->mem, landmarks + 1, sizeof *job->landmarks);
    return job->rows && job->landmark_start && job->landmarks ? CAIRN_OK : CAIRN_E_MEMORY;
}

static void add_rows(merging *job, const cn_reader *file, uint32_t first)
{
    const size_t *start = file->landmark_start;
    const size_t used = job->landmark_start[first];

    for (uint32_t row = 0; row < file->row_count; row++) {
        const cn_row_entry *entry = &file->rows[row];
        const uint8_t *bytes = file->packed_rows.bytes + (entry->offset - file->rows[0].offset);
        /* Only read from now on. */
        job->rows[first + row] = (cn_packed){(uint8_t *)bytes, (size_t)entry->size,
                                             entry->codec_id};
        job->landmark_start[first + row + 1] = used + start[row + 1];
    }
    if (start[file->row_count])
        memcpy(job->landmarks + used, file->landmarks,
               start[file->row_count] * sizeof *job->landmarks);
}

/* The rows of all parts, one behind the other. */
static cairn_status join_rows(merging *job)
{
    const cairn_part *asked = &job->files[0].marks.part;
    uint32_t done = 0;

    for (uint32_t part = 0; part < asked->count; part++) {
        const cn_reader *file = &job->files[job->order[part]];
        if (file->marks.part.first_row != done || file->row_count > asked->row_count - done)
            return refuse_file(job, job->order[part], "the rows after those of the part before it");
        add_rows(job, file, done);
        done += file->row_count;
    }
    if (done != asked->row_count)
        return refuse_file(job, job->order[asked->count - 1], "the last rows of the table");
    const cn_landmark_lists all = {job->landmark_start, job->landmarks};
    return cn_landmarks_hash(all, done) == asked->landmarks
               ? CAIRN_OK
               : refuse_file(job, job->order[0], "landmarks that all parts together have");
}

static cairn_status compose(merging *job)
{
    const cn_reader *first = &job->files[0];
    cn_composition *whole = &job->whole;

    if (first->map_size > 0)
        cn_put_section(&job->map, CN_TYPE_MAP, first->packed_map.bytes, (size_t)first->map_size);
    if (job->map.status != CAIRN_OK)
        return job->map.status;
    whole->marks = first->marks; /* of which the whole has all but the part */
    whole->marks.part = (cairn_part){.number = 0};
    whole->map = first->map_size > 0 ? &job->map : NULL;
    whole->map_metric = first->map_outline.metric;
    whole->facts = first->facts;
    whole->landmarks = (cn_landmark_lists){job->landmark_start, job->landmarks};
    whole->rows = job->rows;
    whole->row_count = first->marks.part.row_count;
    return cn_compose(whole);
}

static cairn_status merge(merging *job, const char *const *paths, const char *path,
                          const cairn_progress *progress)
{
    cairn_status status = read_parts(job, paths, progress);
    if (status == CAIRN_OK)
        status = sort_parts(job);
    if (status == CAIRN_OK)
        status = take_memory(job);
    if (status == CAIRN_OK)
        status = join_rows(job);
    if (status == CAIRN_OK)
        status = compose(job);
    return status == CAIRN_OK ? cn_composition_write(&job->whole, path, progress) : status;
}

static void close_merging(merging *job)
{
    for (size_t i = 0; i < job->count; i++)
        cn_reader_free(&job->files[i]);
    cn_composition_free(&job->whole);
    cn_buffer_free(&job->map);
    cn_release(&job->mem, job->rows);
    cn_release(&job->mem, job->landmark_start);
    cn_release(&job->mem, job->landmarks);
    cn_release(&job->mem, job->order);
    cn_release(&job->mem, job->files);
}

cairn_status cairn_merge(const char *const *parts, size_t part_count, const char *path,
                         const cairn_progress *progress, cairn_merge_fault *fault)
{
    cairn_merge_fault own;
    merging job = {.mem = cn_mem_from(NULL), .fault = fault ? fault : &own};

    memset(job.fault, 0, sizeof *job.fault);
    if (!parts || !path || part_count == 0)
        return CAIRN_E_ARGUMENT;
    job.map.mem = job.whole.head.mem = job.whole.tail.mem = &job.mem;
    job.files = cn_zeroed(&job.mem, part_count, sizeof *job.files);
    if (!job.files)
        return CAIRN_E_MEMORY;
    job.count = part_count;
    cairn_status status = merge(&job, parts, path, progress);
    close_merging(&job);
    return status;
}
