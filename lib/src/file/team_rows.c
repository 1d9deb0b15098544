#include "file/team_rows.h"

#include <string.h>

/* What the first process has to know of a row before its bytes come. */
typedef struct row_size {
    uint64_t size;
    uint64_t codec_id;
} row_size;

typedef struct collecting {
    cn_writer *out;
    cn_team *team;
    uint32_t sets;
    uint32_t step; /* rows of a set */
    row_size *sizes;
    uint8_t *mine;
    size_t mine_size;
    uint8_t *all;   /* of rank 0 alone, */
    size_t *starts; /* like these, of each process */
} collecting;

static uint32_t first_of(const collecting *job, uint32_t rank)
{
    return (uint32_t)cn_team_before(job->team, job->sets, rank) * job->step;
}

/* The rows of this process, one behind the other. */
static cairn_status join_mine(collecting *job)
{
    const cn_writer *out = job->out;
    const uint32_t rank = cn_team_rank(job->team);
    const uint32_t first = first_of(job, rank), end = first_of(job, rank + 1);

    job->sizes = cn_zeroed(out->mem, out->row_count, sizeof *job->sizes);
    if (!job->sizes)
        return CAIRN_E_MEMORY;
    for (uint32_t row = first; row < end; row++) {
        job->sizes[row] = (row_size){out->rows[row].size, out->rows[row].codec_id};
        job->mine_size += out->rows[row].size;
    }
    job->mine = cn_array(out->mem, job->mine_size + 1, 1);
    if (!job->mine)
        return CAIRN_E_MEMORY;
    uint8_t *to = job->mine;
    for (uint32_t row = first; row < end; row++) {
        if (out->rows[row].size)
            memcpy(to, out->rows[row].bytes, out->rows[row].size);
        to += out->rows[row].size;
    }
    return CAIRN_OK;
}

static cairn_status make_room(collecting *job)
{
    const uint32_t processes = job->team->processes->processes;
    size_t total = 0;

    if (cn_team_rank(job->team) > 0)
        return CAIRN_OK;
    job->starts = cn_zeroed(job->out->mem, processes + 1u, sizeof *job->starts);
    if (!job->starts)
        return CAIRN_E_MEMORY;
    for (uint32_t rank = 0; rank < processes; rank++) {
        job->starts[rank] = total;
        for (uint32_t row = first_of(job, rank); row < first_of(job, rank + 1); row++)
            total += (size_t)job->sizes[row].size;
    }
    job->starts[processes] = total;
    job->all = cn_array(job->out->mem, total + 1, 1);
    return job->all ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* Rows that tell how all are packed are there already. */
static cairn_status take_rows(collecting *job)
{
    cn_writer *out = job->out;
    const uint8_t *from = job->all;

    if (!from)
        return CAIRN_OK;
    for (uint32_t row = 0; row < out->row_count; row++) {
        const size_t size = (size_t)job->sizes[row].size;
        cn_packed *packed = &out->rows[row];
        if (!packed->bytes) {
            *packed = (cn_packed){cn_array(out->mem, size + 1, 1), size,
                                  (uint32_t)job->sizes[row].codec_id};
            if (!packed->bytes)
                return CAIRN_E_MEMORY;
            memcpy(packed->bytes, from, size);
        }
        from += size;
    }
    return CAIRN_OK;
}

static cairn_status collect(collecting *job)
{
    cn_team *team = job->team;

    cairn_status status = cn_team_agree(team, join_mine(job));
    if (status == CAIRN_OK)
        status = cn_team_share(team, job->sizes, job->step * sizeof *job->sizes, job->sets);
    if (status == CAIRN_OK)
        status = cn_team_agree(team, make_room(job));
    if (status == CAIRN_OK)
        status = cn_team_collect(team, job->mine, job->mine_size, job->all, job->starts);
    return status == CAIRN_OK ? take_rows(job) : status;
}

cairn_status cn_writer_collect(cn_writer *out, cn_team *team, uint32_t sets)
{
    collecting job = {
        .out = out, .team = team, .sets = sets, .step = out->shape.is_directed ? 2 : 1};

    cairn_status status = collect(&job);
    cn_release(out->mem, job.sizes);
    cn_release(out->mem, job.mine);
    cn_release(out->mem, job.all);
    cn_release(out->mem, job.starts);
    return status;
}
