// A fixture program as one file that Node can run: it strips types from .ts, but refuses .tsx.
import { join } from 'node:path';
import { bundleFile } from '../../../tools/bundle-console.ts';
import { repositoryRoot } from '../../support/paths.ts';

/** The file must lie where the packages that are not bundled can be found: below the repository. */
export async function bundleFixture(name: string, outFile: string): Promise<void> {
  await bundleFile(join(repositoryRoot, 'test/tui/fixtures', name), outFile, { minify: false });
}
