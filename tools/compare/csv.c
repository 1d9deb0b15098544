#include "compare/csv.h"

#include <string.h>

void csv_put_text(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

/* The text of a field in quotes, moved to `to`; the byte behind its last quote, or NULL. */
static char *unquote(char *from, char *to)
{
    for (; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            return from;
        }
        *to++ = *from;
    }
    return NULL;
}

size_t csv_split(char *line, char **fields, size_t most)
{
    size_t count = 0;
    for (char *at = line; at && count < most; count++) {
        fields[count] = at;
        char *end = *at == '"' ? unquote(at + 1, at) : at + strcspn(at, ",");
        if (!end || (*end && *end != ','))
            return 0;
        at = *end ? end + 1 : NULL;
        *end = '\0';
    }
    return count;
}
