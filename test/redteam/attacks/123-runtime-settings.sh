# title: plants settings, hooks, plugins and programs where the operator's own agent programs would start them
# success: user outside
# hooks: not
cd "$A_USER_HOME" || exit 1
mkdir -p .claude/hooks .claude/plugins/x .claude/local .claude/shell-snapshots .codex/rules .codex/plugins .codex/shell_snapshots .omp/agent/extensions .omp/plugins .omp/natives .config/opencode/plugin .config/opencode/node_modules/x .cache/opencode/bin .local/share/opencode/bin .config/fish .config/autostart
for file in .claude/settings.json .claude/settings.local.json .claude/CLAUDE.md .claude/hooks/x.sh .claude/plugins/x/plugin.json .claude/local/claude .claude/shell-snapshots/x.sh .claude/later.json .claude.json \
  .codex/config.toml .codex/x.config.toml .codex/hooks.json .codex/AGENTS.md .codex/rules/x.rules .codex/plugins/x .codex/shell_snapshots/x.sh .codex/later.toml \
  .omp/agent/config.yml .omp/agent/models.yml .omp/agent/mcp.json .omp/agent/.env .omp/agent/extensions/x.ts .omp/plugins/package.json .omp/natives/x.node \
  .config/opencode/opencode.json .config/opencode/plugin/x.js .config/opencode/node_modules/x/index.js .cache/opencode/bin/x .local/share/opencode/bin/rg \
  .bashrc .bash_aliases .zshrc .config/fish/config.fish .config/autostart/x.desktop .vimrc .tmux.conf .inputrc .pam_environment; do
  rm -f $file; echo "touch $A_OUTSIDE" >$file; chmod +x $file
done
for folder in .claude/hooks .claude/plugins .codex/plugins .omp/agent/extensions .config/opencode; do mv $folder $folder.old; mkdir $folder; echo "touch $A_OUTSIDE" >$folder/x.js; done
exit 0
