import { homePaths, resolveHome } from '../../platform/paths.ts';
import type { Check } from '../doctor/check.ts';
import { checkConfig, checkHome, checkHost, checkSockets } from '../doctor/home.ts';
import { checkLimits, checkLogout, limitFacts, logoutFacts } from '../doctor/limits.ts';
import { checkGit, checkNode, checkRuntimes, checkRunLimits, checkSandbox, checkSigning } from '../doctor/programs.ts';
import { renderDoctor } from '../doctor/render-doctor.ts';
import { checkTerminal, terminalFacts } from '../doctor/terminal.ts';
import { exitDone, exitRefused, say, sayJson } from '../output.ts';
import { paintFor } from '../paint.ts';

/** Starts no host and changes nothing. */
export async function doctor(homeOption: string | undefined, options: { json?: boolean }): Promise<number> {
  const checks = await examine(resolveHome(homeOption));
  if (options.json) sayJson(checks);
  else say(renderDoctor(checks, paintFor(process.stdout, process.env)));
  return checks.some((check) => check.status === 'fail') ? exitRefused : exitDone;
}

async function examine(home: string): Promise<Check[]> {
  const paths = homePaths(home);
  const { check: configCheck, config } = await checkConfig(paths.config);
  const [git, sandbox, runLimits, runtimes, limits, logout, homeChecks, signing, host] = await Promise.all([
    checkGit(),
    checkSandbox(config.sandbox),
    checkRunLimits(config.limits),
    checkRuntimes(config),
    limitFacts(),
    logoutFacts(paths.socketDir),
    checkHome(home),
    checkSigning(config),
    checkHost(paths),
  ]);
  return [
    checkNode(process.versions.node, process.execPath),
    ...git,
    sandbox,
    runLimits,
    ...runtimes,
    ...checkTerminal(terminalFacts()),
    ...checkLimits(limits),
    checkLogout(logout),
    ...homeChecks,
    checkSockets(paths),
    configCheck,
    ...signing,
    host,
  ];
}
