/* Builds that several processes make together. */
#ifndef CN_BUILD_TEAM_BUILD_H
#define CN_BUILD_TEAM_BUILD_H

#include "base/team.h"
#include "table/table.h"

/* Whether all processes build the same of the same map: CAIRN_E_MISMATCH where one does not. */
cairn_status cn_team_meet(cn_team *team, const cairn_map *map, const cairn_build_options *build,
                          uint64_t more);

#endif
