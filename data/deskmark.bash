# bash completion for deskmark: asks the program itself, so that it knows every command and option there is.
_deskmark_words() { # commands of `deskmark WORDS…`
  command deskmark "$@" --help 2>/dev/null | sed -n '/^S[Uu][Bb][Cc][Oo][Mm][Mm][Aa][Nn][Dd][Ss]:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p'
}
_deskmark_options() {
  command deskmark "$@" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+'
}
_deskmark() {
  local current=${COMP_WORDS[COMP_CWORD]} words=() i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == [a-z]* ]] && words+=("${COMP_WORDS[i]}")
    ((${#words[@]} == 2)) && break
  done
  case ${words[0]-} in desktop | approve) ;; *) words=("${words[@]:0:1}") ;; esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_deskmark_options "${words[@]}")" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$(_deskmark_words "${words[@]}")" -- "$current")
    ((${#COMPREPLY[@]})) || compopt -o default
  fi
}
complete -F _deskmark deskmark
