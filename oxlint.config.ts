import { defineConfig } from 'oxlint'
import { aboveRooms, openRooms, roomFolders, serverRooms, simulatorStarters, webRooms } from './walls.ts'

type Pattern = { message: string } & ({ regex: string } | { group: string[] })

const banned = (regex: string, message: string): Pattern => ({ regex, message })

// Another room is imported only by its `#` path: the rules below do not see an import by `../`.
const noClimbing = banned(String.raw`^\.\./`, 'Another room is reached by its # path, never by ../')
const noClimbingOut = banned(
  String.raw`^\.\./\.\./`,
  'Another room is reached by its # path, never by ../../',
)

const tallWalls = {
  shared: [banned('^#(server|web|simulator)/', 'shared imports nothing of ours')],
  server: [banned('^#web/', 'The server never imports the web')],
  web: [banned('^#(server|simulator)/', 'The web imports only shared and itself')],
  simulator: [
    banned('^#(server|web)/', 'The simulator imports only shared'),
    banned('^#simulator/page/', 'The page of the simulator stands above it'),
  ],
}

const noSimulator = banned('^#simulator/', 'Only main.ts and the demonstration start the simulator')

// A pattern that begins with `#` is a comment in these groups, hence the `*` before the side.
const onlyDoor = (side: string, room: string, extension: string): Pattern => ({
  group: [`*${side}/${room}/**`, `!*${side}/${room}/${room}.${extension}`],
  message: `${room} is entered by its door, ${room}/${room}.${extension}`,
})

/**
 * What a room must not import: the files above the rooms, later rooms, and files of a room besides its door.
 */
function lowWalls(side: 'server' | 'web', rooms: readonly string[], room: string): Pattern[] {
  const place = rooms.indexOf(room)
  const later = rooms.slice(place + 1)
  const doors = rooms.slice(0, place).filter((earlier) => !openRooms.includes(earlier))
  const patterns = doors.map((earlier) => onlyDoor(side, earlier, side === 'web' ? 'tsx' : 'ts'))
  const above = aboveRooms[side].filter((name) => !name.includes('.')).join('|')
  patterns.push(
    banned(
      above === '' ? `^#${side}/[^/]+$` : `^#${side}/([^/]+$|(${above})/)`,
      'What stands above the rooms is not imported by a room',
    ),
  )
  if (later.length > 0)
    patterns.push(
      banned(
        `^#${side}/(${later.join('|')})/`,
        `${room} imports only rooms that stand before it in walls.ts`,
      ),
    )
  return patterns
}

const imports = (files: string[], patterns: Pattern[]) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', { patterns: Pattern[] }] },
})

const noClimbingInside = banned(
  String.raw`^\.\./`,
  'Another folder of the room is reached by its # path, never by ../',
)

/** What a folder must not import from its own room: later folders, and files at the room's root. */
function folderWalls(path: string, folders: readonly string[], folder: string): Pattern[] {
  const later = folders.slice(folders.indexOf(folder) + 1)
  const patterns = [
    noClimbingInside,
    banned(`^#${path}/[^/]+$`, `What stands at the root of ${path} is not imported by its folders`),
  ]
  if (later.length > 0)
    patterns.push(
      banned(
        `^#${path}/(${later.join('|')})/[^/]+$`,
        `${folder} imports only folders that stand before it in walls.ts`,
      ),
    )
  return patterns
}

/**
 * Most rooms have two overrides, since `../` in a subfolder does not leave the room. A room with ordered
 * folders has one more for each folder.
 */
const roomWalls = (side: 'server' | 'web', rooms: readonly string[], tall: Pattern[]) =>
  rooms.flatMap((room) => {
    const patterns = [...tall, ...lowWalls(side, rooms, room)]
    const folders = roomFolders[`${side}/${room}`] ?? []
    return [
      imports([`src/${side}/${room}/*/**`], [...patterns, noClimbingOut]),
      imports([`src/${side}/${room}/*.{ts,tsx}`], [...patterns, noClimbing]),
      ...folders.map((folder) =>
        imports(
          [`src/${side}/${room}/${folder}/*.{ts,tsx}`],
          [...patterns, ...folderWalls(`${side}/${room}`, folders, folder)],
        ),
      ),
    ]
  })

export default defineConfig({
  plugins: ['typescript', 'import', 'react', 'unicorn', 'oxc', 'jsx-a11y'],
  jsPlugins: ['./scripts/house-rules/house-rules.ts'],
  categories: { correctness: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['dist', 'data', 'src/server/migrations'],
  rules: {
    // Icons, avatars and the mark are drawn elements with role="img", not image files.
    'jsx-a11y/prefer-tag-over-role': 'off',
    'house/no-blind-tls': 'error',
    'house/max-columns': 'error',
    'house/no-export-star': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'no-empty': ['error', { allowEmptyCatch: false }],
    'no-restricted-properties': [
      'error',
      {
        object: 'Math',
        property: 'random',
        message: 'Ids and tokens come from crypto, delays from the jitter.',
      },
    ],
    'react/exhaustive-deps': 'error',
    // The rule only says that the React compiler skips a component, and the timeline needs its virtualizer.
    'react/incompatible-library': 'off',
    'react/no-danger': 'error',
    'react/rules-of-hooks': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    // Objects are made by functions and do not use `this`, so their functions can be passed on unbound.
    'typescript/unbound-method': 'off',
  },
  overrides: [
    imports(['src/shared/**'], [...tallWalls.shared, noClimbing]),
    imports(['src/simulator/**'], [...tallWalls.simulator, noClimbing]),
    imports(['src/server/*.ts', 'src/server/{cli,demo}/**'], [...tallWalls.server, noSimulator, noClimbing]),
    imports(
      simulatorStarters.map((file) => `src/server/${file}`),
      [...tallWalls.server, noClimbing],
    ),
    imports(['src/web/*.{ts,tsx}'], [...tallWalls.web, noClimbing]),
    ...roomWalls('server', serverRooms, [...tallWalls.server, noSimulator]),
    ...roomWalls('web', webRooms, tallWalls.web),
    imports(
      ['src/simulator/page/**'],
      [
        banned('^#server/', 'The page of the simulator never imports the server'),
        { group: ['*web/**', '!*web/ui/**'], message: 'Of the web, the page of the simulator uses ui alone' },
        {
          group: [
            '*simulator/**',
            '!*simulator/page/**',
            '!*simulator/control-api.ts',
            '!*simulator/control-views.ts',
          ],
          message: 'The page of the simulator speaks to it by control-api.ts and control-views.ts',
        },
        noClimbing,
      ],
    ),
    // Tests may import everything of their side, and the simulator.
    imports(['src/shared/**/*.test.ts'], [...tallWalls.shared, noClimbing]),
    imports(['src/server/**/*.test.ts', 'src/server/testing/**'], [...tallWalls.server, noClimbingOut]),
    imports(
      ['src/web/**/*.test.{ts,tsx}'],
      [banned('^#server/', 'The web never imports the server'), noClimbingOut],
    ),
    {
      // React's event types accept a promise: nobody awaits a form's submit, which reports its own errors.
      files: ['src/web/**', 'src/simulator/page/**'],
      rules: { 'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }] },
    },
    {
      // The tools that read these files require a default export.
      files: ['*.config.ts', '**/*.config.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['e2e/**'],
      rules: { 'house/no-single-look': 'error', 'house/settled-escape': 'error' },
    },
    {
      files: ['src/web/{conversations,media}/**/*.tsx'],
      rules: { 'house/bounded-texts': 'error' },
    },
    {
      files: ['src/server/**'],
      rules: { 'house/no-wall-clock': 'error', 'house/judged-calls': 'error' },
    },
    {
      files: ['src/server/**'],
      rules: { 'house/messages-by-id': 'error' },
    },
    {
      // What asks for the rights itself (access.ts, each frame of live.ts, the kinds of contact-history.ts,
      // the archive), and what no person calls.
      files: [
        'src/server/conversations/{store,incoming,messages,outbox,archive}/**',
        'src/server/conversations/live.ts',
        'src/server/conversations/media/message-files.ts',
        'src/server/conversations/transcriptions/{record-transcription,transcription-worker}.ts',
        'src/server/conversations/reading/contact-history.ts',
        'src/server/**/*.test.ts',
      ],
      rules: { 'house/messages-by-id': 'off' },
    },
    {
      files: ['src/server/**'],
      rules: { 'house/files-by-store': 'error' },
    },
    {
      // The store itself, what moves and scans files, and what must know the folder: to show it, to search
      // all of it for a person, to find it empty.
      files: [
        'src/server/platform/file-store.ts',
        'src/server/platform/file-store/**',
        'src/server/maintenance/files/**',
        'src/server/maintenance/copy/attach.ts',
        'src/server/settings/media-settings.ts',
        'src/server/cli/lgpd-scan.ts',
        'src/server/**/*.test.ts',
        'src/server/testing/**',
      ],
      rules: { 'house/files-by-store': 'off' },
    },
    {
      files: ['src/server/**', 'src/simulator/**'],
      rules: { 'house/limited-bodies': 'error' },
    },
    {
      // Here it is decided how bodies are read.
      files: [
        'src/server/platform/http/http.ts',
        'src/server/platform/http/bodies/body-limits.ts',
        'src/server/gateway/webhook/webhook-route.ts',
        'src/simulator/gateway/gateway-server.ts',
        'src/simulator/gateway/multipart.ts',
        'src/simulator/control/control-bodies.ts',
        '**/*.test.ts',
      ],
      rules: { 'house/limited-bodies': 'off' },
    },
    {
      // They invent times, and read the clock to compare.
      files: [
        'src/server/**/*.test.ts',
        'src/server/**/test-*.ts',
        'src/server/testing/**',
        'src/server/demo/**',
      ],
      rules: { 'house/no-wall-clock': 'off' },
    },
    {
      files: ['src/server/**/*.test.ts'],
      rules: { 'house/settled-app': 'error' },
    },
    {
      files: ['**/*.test.{ts,tsx}'],
      rules: { 'house/sentence-titles': 'error' },
    },
    {
      // The rule contains the words that it looks for.
      files: ['scripts/house-rules/every-file.ts'],
      rules: { 'house/no-blind-tls': 'off' },
    },
  ],
})
