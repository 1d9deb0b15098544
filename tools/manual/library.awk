# The manual page of the library, from the comments of its headers in reading order:
#
#     awk -f tools/manual/library.awk -v version=0.2.0 lib/include/cairn/{cairn,base,map,...}.h
#
# A comment and the declaration below it become a paragraph. What is written for the preprocessor is
# left out, but for constants.

BEGIN {
    printf ".TH CAIRN 3 \"\" \"cairn %s\" \"Cairn\"\n", version
    print ".SH NAME\ncairn \\- exact landmark tables for pathfinding on maps"
    print ".SH SYNOPSIS\n.nf\n#include <cairn/cairn.h>\n.PP\ncc game.c $(pkg\\-config \\-\\-cflags \\-\\-libs \\-\\-static cairn)\n.fi"
    print ".SH DESCRIPTION"
}

function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    sub(/^[.\047]/, "\\\\\\&&", text)
    return text
}

FNR == 1 {
    topic = FILENAME
    sub(/.*\//, "", topic)
    sub(/\.h$/, "", topic)
    is_overview = topic == "cairn"
    is_first = 1
    if (!is_overview)
        printf ".SH %s\n", toupper(topic)
}

# A comment at the left margin. The first of a header tells what it is about.
/^\/\*/ {
    is_comment = 1
    comment = ""
}
is_comment {
    line = $0
    ended = sub(/ *\*\/$/, "", line)
    sub(/^\/\* ?/, "", line)
    sub(/^ \* ?/, "", line)
    # Indented lines stay lines.
    if (is_indented != (line ~ /^ /)) {
        is_indented = !is_indented
        comment = comment (is_indented ? ".nf\n" : ".fi\n")
    }
    comment = comment (line == "" ? ".PP" : plain(line)) "\n"
    if (ended) {
        is_comment = 0
        if (is_indented)
            comment = comment ".fi\n"
        is_indented = 0
        if (is_first) {
            gsub(/ *Part of cairn\/cairn\.h,/, " Part of cairn/cairn.h,", comment)
            printf "%s", comment
            is_first = 0
            comment = ""
        }
    }
    next
}

/^#  *include|^#include|^#if|^#ifdef|^#ifndef|^#else|^#elif|^#endif|^# / { next }
/^#define CAIRN_[A-Z_]*_H$/ { next }
/^extern "C"|^}$/ { next }

# The declaration that a comment is about ends with an empty line.
NF {
    declaration = declaration plain($0) "\n"
    next
}
{ flush_declaration() }
END { flush_declaration() }

function flush_declaration() {
    if (declaration != "") {
        gsub(/CAIRN_(API|NODISCARD) /, "", declaration)
        printf ".PP\n.nf\n\\fB%s\\fR\n.fi\n.RS 4\n%s.RE\n", declaration, comment
    }
    declaration = ""
    comment = ""
}
