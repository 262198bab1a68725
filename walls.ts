/**
 * The rooms in order: a room imports only the doors of earlier rooms. oxlint.config.ts builds the linter's
 * rules from these arrays, and walls.test.ts plants a breach of each rule.
 */
export const serverRooms = [
  'schema',
  'platform',
  'audit',
  'users',
  'settings',
  'sectors',
  'reasons',
  'companies',
  'contacts',
  'gateway',
  'media',
  'assistant',
  'automation',
  'notifications',
  'conversations',
  'sla',
  'notices',
  'reports',
  'workday',
  'maintenance',
  'doctor',
] as const

export const webRooms = [
  'ui',
  'platform',
  'numbers',
  'users',
  'sectors',
  'reasons',
  'companies',
  'contacts',
  'privacy',
  'gateway',
  'media',
  'assistant',
  'automation',
  'settings',
  'conversations',
  'notifications',
  'audit',
  'reports',
  'maintenance',
  'shell',
] as const

/**
 * The folders of a large room in order: a file imports only its own folder and earlier ones, by their `#`
 * paths. Files at the root of the room may import all of its folders, which import none of them.
 */
export const roomFolders: Readonly<Record<`${'server' | 'web'}/${string}`, readonly string[]>> = {
  'server/users': ['second-factor', 'sign-in', 'accounts', 'permissions', 'invitations', 'profile'],
  'server/gateway': ['evolution/parse', 'evolution/client', 'instances', 'inbox', 'healing', 'webhook'],
  'server/conversations': [
    'store',
    'messages',
    'drafts',
    'acts',
    'snoozing',
    'automatic',
    'incoming',
    'outbox',
    'outgoing',
    'media',
    'assistant',
    'transcriptions',
    'reading',
    'archive',
    'samples',
    'routes',
  ],
  'server/maintenance': [
    'privacy',
    'archive',
    'store',
    'runs',
    'backup',
    'restore',
    'cleanup',
    'plan',
    'copy',
    'upgrade',
    'files',
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
    'snoozing',
    'hand-over',
    'rows',
    'numbers',
    'selection',
    'list/row',
    'list/controls',
    'list',
    'dashboard',
    'chat/dialogs',
    'chat/search',
    'chat/header',
    'chat/panel',
    'chat/message/outcome',
    'chat/message',
    'chat/timeline',
    'chat/composer',
    'chat/notes',
    'chat',
    'contact',
    'archive',
  ],
  'web/reports': ['asked', 'filters', 'charts', 'cards', 'rows', 'timesheets'],
}

/** Rooms without a door, whose files are imported one by one. */
export const openRooms: readonly string[] = ['schema', 'platform', 'ui']

/** Files that put the rooms together: they may import every room, and no room imports them. */
export const aboveRooms = {
  server: [
    'main.ts',
    'cli.ts',
    'cli',
    'app.ts',
    'app-options.ts',
    'app-parts.ts',
    'app-routes.ts',
    'app-thread.ts',
    'app-thread-given.ts',
    'app-work.ts',
    'installation.ts',
    'rooms',
    'open-database.ts',
    'prepare-installation.ts',
    'demo',
    'testing',
  ],
  web: ['main.tsx', 'room-events.ts', 'rooms', 'routes.tsx', 'dashboard-cards.tsx'],
} as const

/** The server files that may start the simulator. */
export const simulatorStarters = ['main.ts', 'demo/*.ts'] as const
