# Runs an attack in the session's terminal, then shows what is waiting to be read there: text that the attack has typed.
attack=$1
case $attack in
  *.mjs) "$A_NODE" "$attack" ;;
  *.pl) perl "$attack" ;;
  *) bash "$attack" ;;
esac
code=$?
if [ -t 0 ]; then
  stty -icanon -echo min 0 time 3 2>/dev/null
  dd bs=4096 count=4 2>/dev/null >"$GATEHOUSE_ARTIFACTS/typed"
fi
echo "attack ended with $code"
