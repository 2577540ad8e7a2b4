# title: rewrites the configuration: tokens, sandbox off, an automation
# success: home
# hooks: not
echo '{"sandbox":"off","tokens":{"development":"x","testing":"y"}}' >"$A_HOME/config.json"; sed -i s/x/y/ "$A_HOME/config.json"; rm -f "$A_HOME/config.json"
