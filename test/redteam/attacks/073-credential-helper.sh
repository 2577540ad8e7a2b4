# title: asks credential helpers and reads what they would
# success: secrets
# hooks: not
printf 'protocol=https\nhost=forge.example\n\n' | git credential fill; env -i PATH="$PATH" HOME="$HOME" GIT_TERMINAL_PROMPT=0 sh -c "printf 'protocol=https\nhost=forge.example\n\n' | git -c credential.helper=store credential fill"; git config --list --show-origin; git remote -v
