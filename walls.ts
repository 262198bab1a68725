/**
 * The order of the rooms: a room imports only the doors of rooms that stand before it.
 * The linter's rules are made from these arrays (oxlint.config.ts) and a test plants a breach of each.
 */
export const serverRooms = [
  'schema',
  'platform',
  'audit',
  'users',
  'settings',
  'companies',
  'contacts',
  'gateway',
  'media',
  'assistant',
  'automation',
  'conversations',
  'reports',
  'maintenance',
] as const

export const webRooms = [
  'ui',
  'platform',
  'users',
  'companies',
  'contacts',
  'gateway',
  'media',
  'assistant',
  'automation',
  'settings',
  'conversations',
  'reports',
  'maintenance',
  'shell',
] as const

/** Rooms without a door: what stands in them is reached file by file. */
export const openRooms: readonly string[] = ['schema', 'platform', 'ui']

/** Files that put the rooms together and therefore stand above all of them. */
export const aboveRooms = {
  server: ['main.ts', 'cli.ts', 'cli', 'app.ts', 'installation.ts', 'open-database.ts', 'demo', 'testing'],
  web: ['main.tsx', 'routes.tsx'],
} as const

/** The server files that may start the simulator. */
export const simulatorStarters = ['main.ts', 'demo/*.ts'] as const
