# fish completion for deskmark: asks the program itself, so that it knows every command and option there is.
function __deskmark_before
    set -l found
    for word in (commandline -opc)[2..-1]
        string match -qr '^[a-z]' -- $word; and set -a found $word
    end
    switch "$found[1]"
        case desktop approve
            string join \n -- $found[1..2]
        case '*'
            test -n "$found[1]"; and echo $found[1]
    end
end
function __deskmark_commands
    command deskmark (__deskmark_before) --help 2>/dev/null | sed -n '/^S[Uu][Bb][Cc][Oo][Mm][Mm][Aa][Nn][Dd][Ss]:/,$ s/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end
function __deskmark_options
    command deskmark (__deskmark_before) --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+'
end
complete -c deskmark -a '(__deskmark_commands)'
complete -c deskmark -n 'string match -q -- "-*" (commandline -ct)' -a '(__deskmark_options)'
