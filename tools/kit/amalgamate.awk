# Writes the library as one source file: awk -v root=ROOT -v cpp="cc -E" -f amalgamate.awk SOURCES
#
# SOURCES are the .c files, relative to ROOT/lib/src; the preprocessor shows the names that macros make.
# Every header with a guard comes once, before all sources. A header without one, a template, comes
# where it is included.
#
# All sources share one scope in the result. Where two of them give a static function, a type or a
# constant the same name, each has it renamed by a macro that lasts as long as its part of the text.
# The macros that a source defines end with its part as well.

# Whether a header can be included once for all.
function has_guard(path,    line, guarded) {
    if (path in guards)
        return guards[path]
    guarded = 0
    while ((getline line < path) > 0)
        if (line ~ /^#/) {
            guarded = line ~ /^#ifndef [A-Z0-9_]*_H$/
            break
        }
    close(path)
    return guards[path] = guarded
}

# A line that names the template which simd/instances.h includes.
function names_template(line) {
    return line ~ /^ *# *define TEMPLATE "/
}

# The file that an #include names; empty when it is the system's or the public header.
function included(line,    name) {
    if (line ~ /^ *# *include TEMPLATE$/)
        return template
    if (line !~ /^ *# *include "/ && !names_template(line))
        return ""
    split(line, part, "\"")
    name = part[2]
    return name ~ /^cairn\// ? "" : root "/lib/src/" name
}

function is_public(line) {
    return line ~ /^ *# *include [<"]cairn\//
}

# Emits the guarded headers that a file wants and that were not there yet.
function hoist(path,    line, header, own) {
    own = path
    while ((getline line < own) > 0) {
        header = included(line)
        if (header == "" || header in hoisted)
            continue
        hoisted[header] = 1
        hoist(header)
        if (has_guard(header))
            copy_header(header)
    }
    close(own)
}

function copy_header(path) {
    print "\n/* ---- " relative(path) " ---- */"
    copy_lines(path)
}

function copy_lines(path,    line, header) {
    while ((getline line < path) > 0) {
        header = included(line)
        if (header != "" && !has_guard(header))
            copy_lines(header)
        else if (header == "" && !is_public(line)) {
            print line
            scan(line, "")
        }
    }
    close(path)
}

function relative(path) {
    return substr(path, length(root "/lib/src/") + 1)
}

# The text of a source with its templates in their places, in body[part, 1...].
function take_part(part, path,    line, header) {
    while ((getline line < path) > 0) {
        header = included(line)
        if (names_template(line))
            template = header
        if (is_public(line) || names_template(line))
            continue
        if (header == "")
            add_line(part, line)
        else if (!has_guard(header))
            take_part(part, header)
    }
    close(path)
}

function add_line(part, line,    words) {
    body[part, ++lines[part]] = line
    scan(line, part)
    if (line ~ /^ *# *define /) {
        sub(/^ *# *define */, "", line)
        match(line, /^[A-Za-z0-9_]*/)
        take_macro(part, substr(line, 1, RLENGTH))
    }
}

function take_macro(part, name) {
    if ((part, name) in macros)
        return
    macros[part, name] = 1
    macro_order[part] = macro_order[part] " " name
}

# ------------------------------------------------------------------- names of the file's scope --

function declare(name, part) {
    if (name == "" || name ~ /^(cn_|CN_|cairn_|CAIRN_|_)/ || (part, name) in declared)
        return
    declared[part, name] = 1
    order[part] = order[part] " " name
    if (seen_in[name]++)
        shared_name[name] = 1
}

# Follows a text line by line through comments, braces and declarations; part is "" in headers.
function scan(line, part,    token) {
    if (in_define || line ~ /^ *#/) {
        in_define = line ~ /\\$/
        return
    }
    # Within braces, other than those of constants, nothing but braces matters.
    if (depth > 0 && !is_enum && !in_comment && line !~ /[{}]|\/\*/)
        return
    gsub(/"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/, " 0 ", line)
    while (line != "") {
        if (in_comment) {
            if (!match(line, /\*\//))
                return
            in_comment = 0
        } else if (match(line, /^[ \t]+/)) {
        } else if (match(line, /^\/\*/)) {
            in_comment = 1
        } else if (match(line, /^[A-Za-z_][A-Za-z0-9_]*/) || match(line, /^./))
            take_token(substr(line, 1, RLENGTH), part)
        line = substr(line, RSTART + RLENGTH)
    }
}

function take_token(token, part) {
    if (token ~ /[({\[]/ && depth == 0 && token == "{")
        open_braces(part)
    if (token == "{") {
        depth++
        previous = "{"
        return
    }
    if (token == "}") {
        if (--depth == 0 && is_function)
            end_statement()
        else if (depth == 0)
            last_name = ""
        previous = "}"
        return
    }
    if (depth == 0)
        take_outer(token, part)
    else if (depth == 1 && is_enum && (previous == "{" || previous == ",") && token ~ /^[A-Za-z_]/)
        declare(token, part)
    previous = token
}

function end_statement() {
    is_typedef = is_static = is_enum = is_function = is_named = has_tag = parens = 0
    last_name = function_name = ""
}

# A token outside of all braces.
function take_outer(token, part) {
    if (token ~ /^[A-Z][A-Z0-9_]*$/ && token != "CN_ALWAYS_INLINE" || (part, token) in macros)
        has_outer_macros[part] = 1
    if (token == "(") {
        if (parens++ == 0 && previous ~ /^[A-Za-z_]/ && previous !~ /^[A-Z0-9_]+$/ &&
            previous != "__attribute__" && function_name == "")
            function_name = previous
    } else if (token == ")")
        parens--
    else if (parens > 0) {
        if (is_typedef && previous == "*" && function_name == "" && token ~ /^[A-Za-z_]/)
            function_name = token
    } else if (token == ";") {
        end_of_declaration(part)
        end_statement()
    } else if (token == "=" || token == "[") {
        if (!is_named && is_static)
            declare(last_name, part)
        is_named = 1
    } else if (token == "typedef")
        is_typedef = 1
    else if (token == "static" || token == "CN_ALWAYS_INLINE")
        is_static = 1
    else if (token == "struct" || token == "union" || token == "enum") {
        has_tag = 1
        is_enum = token == "enum"
    } else if (token ~ /^[A-Za-z_]/)
        last_name = token
}

function open_braces(part) {
    if (function_name != "") {
        is_function = 1
        if (is_static)
            declare(function_name, part)
    } else if (has_tag && !is_named && previous == last_name)
        declare(last_name, part)
}

function end_of_declaration(part) {
    if ((is_typedef || is_static && !is_named) && (function_name != "" || last_name !~ /^[A-Z0-9_]+$/))
        declare(function_name != "" ? function_name : last_name, part)
}

# ---------------------------------------------------------------------------------- the result --

function prefix_of(part,    name) {
    name = part
    sub(/.*\//, "", name)
    sub(/\.c$/, "", name)
    return name
}

# Names of macros end with their part anyhow.
function is_renamed(part, name) {
    return name in shared_name && !((part, name) in macros)
}

function write_part(part,    i, n, names) {
    print "\n/* ---- " part " ---- */"
    n = split(order[part], names, " ")
    for (i = 1; i <= n; i++)
        if (is_renamed(part, names[i]))
            print "#define " names[i] " " names[i] "_in_" prefix_of(part)
    for (i = 1; i <= lines[part]; i++)
        print body[part, i]
    for (i = 1; i <= n; i++)
        if (is_renamed(part, names[i]))
            print "#undef " names[i]
    n = split(macro_order[part], names, " ")
    for (i = 1; i <= n; i++)
        print "#undef " names[i]
}

# Declares what macros make of a source's own text, which the raw text does not show. It takes a run
# of the preprocessor, so sources whose declarations have no macro are left out.
function take_generated(part,    line, command, piece, own) {
    command = cpp " " root "/lib/src/" part
    while ((command | getline line) > 0)
        if (line ~ /^# [0-9]+ "/) {
            split(line, piece, "\"")
            own = index(piece[2], root "/lib/src/") == 1 && !has_guard(piece[2])
        } else if (own)
            scan(line, part)
    close(command)
}

BEGIN {
    end_statement()
    parts = ARGC - 1
    for (i = 1; i <= parts; i++)
        hoist(root "/lib/src/" ARGV[i])
    for (i = 1; i <= parts; i++)
        take_part(ARGV[i], root "/lib/src/" ARGV[i])
    for (i = 1; i <= parts; i++)
        if (ARGV[i] in has_outer_macros)
            take_generated(ARGV[i])
    for (i = 1; i <= parts; i++)
        write_part(ARGV[i])
}
