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

/**
 * The order of the folders inside a large room: a file imports only its own folder and the folders before
 * it, by their `#` paths. Files at the root of the room stand above all of its folders.
 */
export const roomFolders: Readonly<Record<`${'server' | 'web'}/${string}`, readonly string[]>> = {
  'server/gateway': ['evolution/parse', 'evolution/client', 'instances', 'inbox', 'webhook'],
  'server/conversations': [
    'store',
    'messages',
    'drafts',
    'acts',
    'automatic',
    'incoming',
    'outbox',
    'outgoing',
    'media',
    'reading',
    'samples',
    'routes',
  ],
  'web/conversations': [
    'cache',
    'mutations',
    'sends',
    'drafts',
    'presence',
    'kinds',
    'bodies',
    'alerts',
    'emoji',
    'attachments',
    'hand-over',
    'rows',
    'list',
    'dashboard',
    'chat/dialogs',
    'chat/header',
    'chat/panel',
    'chat/message',
    'chat/timeline',
    'chat/composer',
    'chat',
  ],
}

/** Rooms without a door: what stands in them is reached file by file. */
export const openRooms: readonly string[] = ['schema', 'platform', 'ui']

/** Files that put the rooms together and therefore stand above all of them. */
export const aboveRooms = {
  server: ['main.ts', 'cli.ts', 'cli', 'app.ts', 'installation.ts', 'open-database.ts', 'demo', 'testing'],
  web: ['main.tsx', 'routes.tsx'],
} as const

/** The server files that may start the simulator. */
export const simulatorStarters = ['main.ts', 'demo/*.ts'] as const
