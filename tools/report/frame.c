#include "report/frame.h"

#include <string.h>

#include "render/palette.h"
#include "report/chart.h"

/* Of lines and points, on light and on dark paper: the base heuristic, the first table as in
 * pictures, other tables. */
static const uint32_t series_colours[][2] = {
    {0x7d838c, 0x8f97a3}, {PALETTE_LANDMARKS, 0xf0934f}, {0x1d5fae, 0x6fb0ff},
    {0x2d8a4e, 0x63c987}, {0x7a1fa2, 0xd08bf0},          {0x0f8f96, 0x56c9cf},
    {0x2f3640, 0xdfe4ea}, {0xc0243c, 0xff7d8d},          {0x7a5c1e, 0xc9a24a}};
enum { SERIES = sizeof series_colours / sizeof *series_colours };

static const char light[] =
    "--paper:#fff;--ink:#1d2127;--dim:#5d6672;--line:#d7dbe0;--card:#f6f7f9;"
    "--more:#5d667299";
static const char dark[] = "--paper:#15181c;--ink:#e6e9ed;--dim:#9aa4b0;--line:#333a43;"
                           "--card:#1e2329;--more:#9aa4b0aa";

/* What is wider than its box fades at the side where there is more of it: the first two layers of
 * the background move along and cover the shadows at the ends. */
static const char style[] =
    "body{margin:0 auto;max-width:1240px;padding:24px;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.6em;margin:0}h2{font-size:1.15em;margin:0 0 .4em}\n"
    ".lead{font-size:1.1em;margin:.4em 0 1.2em}.dim,figcaption{color:var(--dim)}\n"
    ".grid2{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,520px),1fr));"
    "gap:20px}\n"
    "section,figure{background:var(--card);border:1px solid var(--line);border-radius:8px;"
    "padding:16px;margin:0 0 20px}.grid2>figure{margin:0}\n"
    "svg{width:100%;max-width:600px;height:auto;display:block}"
    "img{width:auto;height:auto;display:block;"
    "max-width:100%;max-height:90vh;border-radius:4px}\n"
    ".grid2{margin-bottom:20px}table{border-collapse:collapse;font-size:.9em}"
    ".wide{overflow-x:auto;scrollbar-width:thin;background:"
    "linear-gradient(to right,var(--card) 30%,transparent) 0 0/40px 100% no-repeat local,"
    "linear-gradient(to left,var(--card) 30%,transparent) 100% 0/40px 100% no-repeat local,"
    "linear-gradient(to right,var(--more),transparent) 0 0/16px 100% no-repeat scroll,"
    "linear-gradient(to left,var(--more),transparent) 100% 0/16px 100% no-repeat scroll}\n"
    "th,td{padding:3px 10px;text-align:right;border-bottom:1px solid var(--line);"
    "font-variant-numeric:tabular-nums;white-space:nowrap}th{font-weight:600}"
    ".lead b{white-space:nowrap}th{white-space:normal}tbody th{font-weight:500}"
    "th:first-child{text-align:left;position:sticky;left:0;background:var(--card);"
    "min-width:7em;overflow-wrap:anywhere}thead th{min-width:5em}details thead th{min-width:6em;"
    "overflow-wrap:anywhere}\n"
    "td.text{text-align:left;white-space:normal;min-width:10em;overflow-wrap:anywhere}"
    "code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}"
    "details{margin-top:8px}summary{cursor:pointer;"
    "color:var(--dim)}\n"
    "svg{overflow:visible}svg text{font:14.5px system-ui,sans-serif;fill:var(--ink)}"
    "svg .tick{fill:var(--dim);paint-order:stroke;stroke:var(--card);stroke-width:4px}"
    "@media(min-width:700px){svg text{font-size:12px}th:first-child{min-width:10em}}\n"
    "svg path{fill:none}svg .grid{stroke:var(--line)}svg .guide{stroke:var(--dim);"
    "stroke-dasharray:2 4}\n"
    "svg .dots{stroke-width:4;stroke-linecap:round;stroke-opacity:.65}svg .line{stroke-width:1.6}"
    "svg .band{fill-opacity:.22}svg .dashed{stroke-dasharray:7 4}"
    "svg .dotted{stroke-dasharray:2 4}\n"
    ".key{display:flex;flex-wrap:wrap;gap:2px 14px;margin:0 0 6px;font-size:.9em}"
    ".key span{position:relative;padding-left:26px;min-width:0;overflow-wrap:anywhere}"
    ".key i{position:absolute;left:0;top:.65em;width:20px;border-top-width:4px;"
    "border-top-style:solid}"
    ".key .dashed{border-top-style:dashed}.key .path{border-top:4px dashed currentColor}"
    ".key .box,.key .spot{left:3px;top:.35em;width:13px;height:13px;border:1px solid var(--dim);"
    "background:currentColor}.key .spot{border:0;border-radius:50%}.wide+.key{margin-top:8px}\n"
    "@media(max-width:699px){body{padding:12px}section,figure{padding:12px}"
    "th,td{padding:3px 7px}.pan{display:flex;"
    "mask-image:linear-gradient(to left,transparent,#000 24px)}"
    ".pan>img{width:640px;max-width:none;max-height:none;flex:none}"
    ".pan::after{content:'';flex:0 0 24px}}\n";

static void write_colours(FILE *file, const char *papers, int is_dark)
{
    fprintf(file, ":root{%s", papers);
    for (unsigned series = 0; series < SERIES; series++)
        fprintf(file, ";--s%u:#%06x", series, (unsigned)series_colours[series][is_dark]);
    fputs("}", file);
}

static void write_style(FILE *file)
{
    write_colours(file, light, 0);
    fputs("\n@media(prefers-color-scheme:dark){", file);
    write_colours(file, dark, 1);
    fputs("}\n", file);
    for (unsigned series = 0; series < SERIES; series++)
        fprintf(file, ".s%u{stroke:var(--s%u);border-color:var(--s%u)}svg .f%u{fill:var(--s%u)}",
                series, series, series, series, series);
    fputs(style, file);
}

void frame_open(FILE *file, const char *heading, const char *name)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "img-src data:; style-src 'unsafe-inline'\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          file);
    html_text(file, name);
    fputs(" - Cairn</title>\n<style>\n", file);
    write_style(file);
    fputs("</style></head>\n<body>\n<h1>", file);
    html_text(file, heading);
    fputs(": ", file);
    html_text(file, name);
    fputs("</h1>\n", file);
}

void frame_close(FILE *file)
{
    fputs("</body></html>\n", file);
}

void frame_row(FILE *file, const char *name, const char *value)
{
    fputs("<tr><th>", file);
    html_text(file, name);
    fputs("</th><td class=\"text\">", file);
    html_text(file, value);
    fputs("</td></tr>\n", file);
}

static bool is_simple(const char *word)
{
    return *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_./,:=+-@%") == strlen(word);
}

/* As a shell takes it: single quotes in it are spelled out. */
static void write_quoted(FILE *file, const char *word)
{
    fputc('\'', file);
    for (const char *letter = word; *letter; letter++)
        html_text(file, *letter == '\'' ? "'\\''" : (char[2]){*letter, 0});
    fputc('\'', file);
}

void frame_command(FILE *file, const char *command, char *const *words)
{
    fprintf(file, "<tr><th>made by</th><td class=\"text\"><code>cairn %s", command);
    for (char *const *word = words; *word; word++) {
        fputc(' ', file);
        if (is_simple(*word))
            html_text(file, *word);
        else
            write_quoted(file, *word);
    }
    fputs("</code></td></tr>\n", file);
}

void frame_open_numbers(FILE *file, const char *const *heads)
{
    fputs("<details><summary>As numbers</summary><div class=\"wide\"><table><thead><tr>", file);
    for (; *heads; heads++) {
        fputs("<th>", file);
        html_name(file, *heads);
        fputs("</th>", file);
    }
    fputs("</tr></thead><tbody>\n", file);
}

void frame_close_numbers(FILE *file)
{
    fputs("</tbody></table></div></details>\n", file);
}
