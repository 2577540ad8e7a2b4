// Asks one question of a database that an agent can write, in a process of its own: a pipe in its place, or a view that
// never ends, holds up nobody who can end this process.
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';

const [path, query, parameter] = process.argv.slice(2);
const database = new DatabaseSync(path, { readOnly: true });
process.stdout.write(JSON.stringify(database.prepare(query).all(parameter)));
