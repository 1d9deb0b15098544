/* Whether standard input is one JSON value and nothing else (RFC 8259): status 0, or 1 after a line
 * that says at which byte it is not. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

static size_t at;

static int peek(void)
{
    int letter = getchar();
    ungetc(letter, stdin);
    return letter;
}

static int take(void)
{
    at++;
    return getchar();
}

static bool took(int letter)
{
    return peek() == letter && take() == letter;
}

static void skip_blanks(void)
{
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t')
        take();
}

static bool word(const char *rest)
{
    while (*rest && took(*rest))
        rest++;
    return *rest == '\0';
}

static bool digits(void)
{
    bool any = false;
    for (; isdigit(peek()); any = true)
        take();
    return any;
}

static bool number(void)
{
    took('-');
    if (!took('0') && !digits())
        return false;
    if (took('.') && !digits())
        return false;
    if (!took('e') && !took('E'))
        return true;
    if (!took('+'))
        took('-');
    return digits();
}

static bool escape(void)
{
    if (!took('u')) {
        int letter = take();
        return letter > 0 && strchr("\"\\/bfnrt", letter);
    }
    for (int i = 0; i < 4; i++) {
        if (!isxdigit(take()))
            return false;
    }
    return true;
}

static bool string(void)
{
    if (!took('"'))
        return false;
    while (peek() != '"') {
        int letter = take();
        if (letter < ' ' || (letter == '\\' && !escape()))
            return false;
    }
    return took('"');
}

static bool value(int depth);

static bool items(int depth, char end)
{
    skip_blanks();
    if (took(end))
        return true;
    do {
        skip_blanks();
        if (end == '}' && !string())
            return false;
        skip_blanks();
        if (end == '}' && !took(':'))
            return false;
        if (!value(depth + 1))
            return false;
        skip_blanks();
    } while (took(','));
    return took(end);
}

static bool value(int depth)
{
    skip_blanks();
    switch (depth < DEPTH_MAX ? peek() : EOF) {
    case '{': return took('{') && items(depth, '}');
    case '[': return took('[') && items(depth, ']');
    case '"': return string();
    case 't': return word("true");
    case 'f': return word("false");
    case 'n': return word("null");
    default: return number();
    }
}

int main(void)
{
    bool right = value(0);
    skip_blanks();
    if (right && peek() == EOF)
        return 0;
    printf("no JSON at byte %zu\n", at);
    return 1;
}
