#include <cairn/cairn.h>
#include <stdio.h>

int main(void)
{
    cairn_map *map;
    cairn_search *search;
    cairn_path path;
    static const char letters[] = "...."
                                  ".@@."
                                  "....";

    if (cairn_map_from_letters(4, 3, letters, NULL, &map, NULL) != CAIRN_OK ||
        cairn_search_new(map, NULL, NULL, &search) != CAIRN_OK ||
        cairn_search_run(search, 0, 11, &path) != CAIRN_OK)
        return 1;
    printf("cairn %s: %.0f steps\n", cairn_version(), path.length);
    cairn_search_free(search);
    cairn_map_free(map);
    return path.length == 5 ? 0 : 1;
}
