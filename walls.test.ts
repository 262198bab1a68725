import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Finding, findingsOf, type PlantedFile } from './scripts/planted-breaches.ts'
import { aboveRooms, openRooms, roomFolders, serverRooms, webRooms } from './walls.ts'

// Plants a breach of each rule where it would occur, and expects that the linter reports it.

const restrictedImport = 'eslint(no-restricted-imports)'
const fetches = (path: string) => `import { x } from '${path}'\nexport const y = x`
const passesOn = (...paths: string[]) =>
  paths.map((path, index) => `export { x as x${index} } from '${path}'`).join('\n')

/** A folder, a part of the linter's message, and what is imported there: a path, or the whole code. */
type Wall = [folder: string, reason: string, imported: string, ending?: PlantedFile['ending']]

const tallWalls: Wall[] = [
  ['src/shared', 'nothing of ours', '#server/users/users.ts'],
  ['src/shared', 'never by ../', '../web/ui/buttons/button.tsx'],
  ['src/server/contacts', 'never imports the web', '#web/ui/buttons/button.tsx'],
  [
    'src/server/contacts',
    'never imports the web',
    "export const y = () => import('#web/ui/buttons/button.tsx')",
  ],
  ['src/server/contacts', 'never imports the web', '#web/ui/buttons/button.tsx', 'test.ts'],
  ['src/server/gateway', 'start the simulator', '#simulator/simulator.ts'],
  ['src/server', 'start the simulator', '#simulator/simulator.ts'],
  ['src/server/cli', 'start the simulator', '#simulator/simulator.ts'],
  ['src/server/demo/history', 'start the simulator', '#simulator/simulator.ts'],
  [
    'src/web/contacts',
    'only shared and itself',
    "import type { x } from '#server/contacts/contacts.ts'\nexport const y: x = 1",
  ],
  ['src/web/contacts', 'only shared and itself', '#simulator/control-api.ts'],
  ['src/simulator', 'only shared', '#server/gateway/gateway.ts'],
  ['src/simulator', 'above it', '#simulator/page/phone.tsx'],
  ['src/simulator/page', 'never imports the server', '#server/gateway/gateway.ts'],
  ['src/simulator/page', 'ui alone', '#web/contacts/contacts.tsx'],
  ['src/simulator/page', 'control-api.ts', '#simulator/state.ts'],
]

const lowWalls: Wall[] = [
  ['src/server/contacts', 'stands above the rooms', '#server/demo/data.ts'],
  ['src/server/contacts', 'before it', '#server/conversations/conversations.ts'],
  ['src/web/contacts', 'before it', '#web/conversations/conversations.tsx'],
  ['src/server/contacts', 'before it', passesOn('#server/conversations/conversations.ts')],
  ['src/web/contacts/planted', 'before it', '#web/shell/shell.tsx', 'tsx'],
  ['src/server/contacts', 'never by ../', '../conversations/conversations.ts'],
  ['src/server/contacts/planted', 'never by ../../', '../../conversations/conversations.ts'],
  ['src/server/contacts', 'above the rooms', '#server/app.ts'],
  ['src/server/conversations', 'entered by its door', '#server/contacts/queries.ts'],
  ['src/web/conversations', 'entered by its door', '#web/contacts/contacts-screen.tsx'],
]

/** A breach for each pair of neighbouring folders, and two ways around the order for each folder. */
const folderWalls = Object.entries(roomFolders).flatMap(([room, folders]) =>
  folders.flatMap((folder, index) => {
    const [later, place] = [folders[index + 1], `src/${room}/${folder}`]
    const walls: Wall[] = [
      [place, `What stands at the root of ${room}`, `#${room}/queries.ts`],
      [place, 'Another folder of the room', `../${later ?? folders[0]}/x.ts`],
    ]
    if (later !== undefined) walls.push([place, `${folder} imports only folders`, `#${room}/${later}/x.ts`])
    return walls
  }),
)

interface OtherRule {
  what: string
  planted: PlantedFile[]
  rule: string
}
/** Breaches of a rule in a folder, one by each code. */
const breaks = (
  rule: string,
  what: string,
  folder: string,
  codes: string[],
  ending?: PlantedFile['ending'],
) =>
  codes.map((code): OtherRule => ({
    rule,
    what: `${what}: ${code}`,
    planted: [{ folder, code, ...(ending && { ending }) }],
  }))

/** Breaches of the rules for every file, each with the rule that must report it. */
const otherRules: OtherRule[] = [
  {
    what: 'two files import each other',
    planted: [
      { folder: 'src/server/contacts', code: "import { y } from './{partner}'\nexport const x = () => y" },
      { folder: 'src/server/contacts', code: "import { x } from './{partner}'\nexport const y = () => x" },
    ],
    rule: 'import(no-cycle)',
  },
  {
    what: 'two files import each other, one of them only a type',
    planted: [
      {
        folder: 'src/server/contacts',
        code: "import type { y } from './{partner}'\nexport const x = (value: y) => value",
      },
      {
        folder: 'src/server/contacts',
        code: "import { x } from './{partner}'\nexport type y = string\nexport const z = x",
      },
    ],
    rule: 'import(no-cycle)',
  },
  ...breaks('typescript(no-explicit-any)', 'a value has any type', 'src/shared', [
    'export const x = (value: any) => value',
  ]),
  ...breaks('typescript(no-floating-promises)', 'nobody waits for a promise', 'src/server/users', [
    'const f = async () => 1\nexport const g = () => {\n  f()\n}',
  ]),
  ...breaks('typescript(no-misused-promises)', 'a promise is taken for a truth', 'src/server/users', [
    'const ok = async () => false\nexport const g = () => (ok() ? 1 : 2)',
  ]),
  ...breaks('typescript(await-thenable)', 'what is awaited is no promise', 'src/server/users', [
    'export const g = async () => await 1',
  ]),
  ...breaks('eslint(no-restricted-properties)', 'an id can be guessed', 'src/server/users', [
    'export const id = () => Math.random()',
  ]),
  ...breaks('house(no-export-star)', 'everything is exported', 'src/server/users', [
    "export * from '#shared/users/users.ts'",
  ]),
  ...breaks('import(no-default-export)', 'an export has no name', 'src/server/users', ['export default 1']),
  ...breaks('eslint(no-empty)', 'an error is swallowed', 'src/server/users', [
    'try {\n  JSON.parse(process.argv[0])\n} catch {}',
  ]),
  ...breaks(
    'react(no-danger)',
    'markup comes from a string',
    'src/web/users',
    ['export const X = () => <p dangerouslySetInnerHTML={{ __html: location.hash }} />'],
    'tsx',
  ),
  ...breaks(
    'react-hooks(rules-of-hooks)',
    'a hook is called only sometimes',
    'src/web/users',
    ["import { useId } from 'react'\nexport const X = ({ on }) => <p>{on ? useId() : ''}</p>"],
    'tsx',
  ),
  ...breaks(
    'react-hooks(exhaustive-deps)',
    'an effect overlooks what it depends on',
    'src/web/users',
    [
      "import { useEffect } from 'react'\n" +
        'export const X = ({ title }) => {\n' +
        '  useEffect(() => {\n    document.title = title\n  }, [])\n  return null\n}',
    ],
    'tsx',
  ),
  ...breaks('house(no-blind-tls)', 'a certificate is not checked', 'src/server/gateway', [
    'export const tls = { rejectUnauthorized: false }',
  ]),
  ...breaks(
    'house(no-wall-clock)',
    'the server looks at a clock that may be set',
    'src/server/conversations',
    ['new Date()', 'Date.now()'].map((clock) => `export const at = ${clock}`),
  ),
  ...breaks(
    'house(judged-calls)',
    'a call with several rows whose handler never asks for one of them',
    'src/server/conversations',
    ['http.routeByRow(read, async ({ permit }) => find())'],
  ),
  ...breaks(
    'house(messages-by-id)',
    'a message is read by its id, whoever asks',
    'src/server/conversations/outgoing',
    [
      'findMessageIn(db, locked, id)',
      'listMessageRows(db, [id])',
      'db.select().from(messages).where(eq(messages.id, id))',
      'db.select().from(messages).where(and(isOpen, inArray(messages.id, [id]))).limit(1)',
      'sql`select m.content from messages m where m.id = ${id}`',
      'sql`(select p.sort_at from conversations c join messages p on true where p.id = any(${id}))`',
    ].map((read) => `export const reads = (id: number) => ${read}`),
  ),
  ...breaks(
    'house(files-by-store)',
    'files are found without their store',
    'src/server/conversations/media',
    [
      "import { join } from 'node:path'\nexport const path = (dir: string) => join(dir, 'uploads', 'x')",
      "import { rm } from 'node:fs/promises'\nexport const gone = () => rm('uploads/ab/abc')",
      "import { openPlaces } from '#server/platform/file-store/places.ts'\nexport const y = openPlaces",
      "import { createBucket as b } from '#server/platform/file-store/bucket.ts'\nexport const y = b",
    ],
  ),
  ...breaks(
    'house(limited-bodies)',
    'a body has a limit of its own or none',
    'src/server/contacts',
    [
      'app.post(path, { bodyLimit: 1e9 }, take)',
      'app.post(path, { bodyLimit }, take)',
      "app.addContentTypeParser('text/csv', read)",
      'request.file()',
      'request.parts({ preservePath: true })',
    ].map((code) => `export const y = () => ${code}`),
  ),
  ...breaks(
    'house(no-single-look)',
    'a browser test looks once',
    'e2e',
    ['await list.count()', '(await stored()).status', '[await a.isVisible(), 1]'].map(
      (look) => `export const looks = async () => expect(${look}).toBe(1)`,
    ),
  ),
  ...breaks(
    'house(bounded-texts)',
    'a text of any length is drawn whole',
    'src/web/conversations/bodies',
    [
      '<p>{message.content}</p>',
      '<>{isShort && message.content.trim()}</>',
      '<p>{content || label}</p>',
      '<img alt={message.fileName ?? label} />',
      '<b aria-label={`Abrir ${content}`} />',
      '<Head title={[location.address, label].join()} />',
    ].map((drawn) => `export const X = () => ${drawn}`),
    'tsx',
  ),
  ...breaks(
    'house(settled-app)',
    'a server test waits for the webhooks alone, while a reply may still be in the outbox',
    'src/server/conversations',
    ['export const looks = async () => control.idle()'],
    'test.ts',
  ),
  ...breaks(
    'house(sentence-titles)',
    'the title of a test is no sentence',
    'src/server/contacts',
    [
      "test('is so for fifteen', () => {})",
      "test('%s %s %s %s %s', () => {})",
      'testAtNight(`${name} fails`, () => {})',
      "test.runIf(isNight)('fails at ' + 'night', () => {})",
      "describe('a client', () => test.concurrent.each([1])('$name', () => {}))",
      'it.each`a\n${1}`(title, () => {})',
    ],
    'test.ts',
  ),
]

/** 105 columns of prose. */
const words = 'prose '.repeat(18).slice(0, 105)

/** Lines wider than 110 columns that the formatter does not break, and lines that may be that wide. */
const wideLines: { what: string; planted: PlantedFile }[] = [
  { what: 'a comment', planted: { folder: 'src/simulator', code: `// ${words} ${'x'.repeat(3)}` } },
  {
    what: 'a docstring',
    planted: { folder: 'src/server/demo', code: `/** ${words} */\nexport const x = 1` },
  },
  { what: 'a template', planted: { folder: 'src/simulator/page', code: `export const x = \`${words}\`` } },
  {
    what: 'the title of a test',
    planted: { folder: 'src/web/users', code: `test('${words} more', () => {})`, ending: 'test.ts' },
  },
]
const narrowLines: { what: string; planted: PlantedFile }[] = [
  { what: '110 columns', planted: { folder: 'src/simulator', code: `// ${words} x` } },
  {
    what: '110 emojis, which are two units each',
    planted: { folder: 'src/simulator', code: `// ${'👍'.repeat(53)} ${'👍'.repeat(53)}` },
  },
  {
    what: 'an address that cannot be broken',
    planted: { folder: 'src/simulator', code: `// https://example.org/${'a'.repeat(120)}` },
  },
  {
    what: 'the import of one name',
    planted: {
      folder: 'src/simulator',
      code: `import { x } from './${'a'.repeat(110)}.ts'\nexport const y = x`,
    },
  },
]

const fullTitles: { what: string; planted: PlantedFile }[] = [
  "test('a client is read out alone', () => {})",
  'test(`has no file of ${most} lines`, () => {})',
  "test.each([1])('the number of %s ' + 'is refused', () => {})",
  "const it = 'a=b'\nexport const y = [it.split('='), /b/.test('a')]",
].map((code) => ({ what: code, planted: { folder: 'src/server/contacts', code, ending: 'test.ts' } }))

/** Imports that the rules must allow. */
const openWays: (PlantedFile & { what: string })[] = [
  {
    what: 'doors of earlier rooms, open rooms and shared',
    folder: 'src/server/conversations',
    code: passesOn(
      '#server/contacts/contacts.ts',
      '#server/schema/contacts.ts',
      '#shared/contacts.ts',
      './queries.ts',
    ),
  },
  {
    what: 'the same on the web, from a sub-folder',
    folder: 'src/web/contacts/planted',
    code: passesOn('#web/users/users.tsx', '#web/ui/buttons/button.tsx', '../queries.ts'),
    ending: 'tsx',
  },
  {
    what: 'earlier folders of the same room, and doors of earlier rooms',
    folder: 'src/web/conversations/chat/header',
    code: passesOn(
      '#web/contacts/contacts.tsx',
      '#web/conversations/cache/queries.ts',
      '#web/conversations/chat/dialogs/finalize-dialog.tsx',
      './chat-header.tsx',
    ),
    ending: 'tsx',
  },
  {
    what: 'a test that looks behind doors and calls the simulator',
    folder: 'src/server/contacts',
    code: passesOn('#server/conversations/queries.ts', '#server/app.ts', '#simulator/simulator.ts'),
    ending: 'test.ts',
  },
  {
    what: 'the page of the simulator to its own means',
    folder: 'src/simulator/page',
    code: passesOn(
      '#web/ui/buttons/button.tsx',
      '#simulator/control-api.ts',
      '#simulator/page/a.tsx',
      '#shared/text/phone.ts',
    ),
    ending: 'tsx',
  },
  {
    what: 'a browser test that waits, or says why it does not',
    folder: 'e2e',
    code: [
      "import { expect } from 'vitest'",
      "import { rightNow } from './support/right-now.ts'",
      'export const looks = async (count: () => Promise<number>) => {',
      '  await expect.poll(async () => (await count()) + 1).toBe(2)',
      "  expect(await rightNow('it must not be there yet', count())).toBe(1)",
      '}',
    ].join('\n'),
  },
]

const walls = [...tallWalls, ...lowWalls, ...folderWalls].map(([folder, reason, imported, ending]) => ({
  what: `${imported.split('\n', 1)[0]} in ${folder}, in a file of ${ending ?? 'ts'}`,
  reason,
  folder,
  code: /^[#.]/.test(imported) ? fetches(imported) : imported,
  ...(ending && { ending }),
}))
/** What a series of tests is made of: each case by its name. */
const named = <Case extends { what: string }>(cases: readonly Case[]) =>
  cases.map((one) => [one.what, one] as const)

describe('the linter', () => {
  let found: Map<object, Finding[]>
  // One run for all, since starting the linter takes most of the time.
  beforeAll(async () => {
    const cases = [...walls, ...openWays, ...otherRules, ...wideLines, ...narrowLines, ...fullTitles]
    const findings = await findingsOf(cases.map((one) => ('planted' in one ? [one.planted].flat() : [one])))
    found = new Map(cases.map((one, index) => [one, findings[index] ?? []]))
  }, 120_000)
  const foundIn = (one: object) => found.get(one) ?? []

  test.each(named(walls))('the linter refuses the import of %s', (_what, one) => {
    const reasons = foundIn(one).filter((finding) => finding.code === restrictedImport)
    expect(reasons.map((finding) => finding.help).join('\n')).toContain(one.reason)
  })

  test.each(named(otherRules))('the linter reports an error when %s', (_what, one) => {
    const errors = foundIn(one).filter((finding) => finding.severity === 'error')
    expect(errors.map((finding) => finding.code)).toContain(one.rule)
  })

  const wideIn = (one: object) => foundIn(one).filter(({ code }) => code === 'house(max-columns)')

  test.each(named(wideLines))('the linter refuses %s over 110 columns', (_what, one) => {
    expect(wideIn(one)).toHaveLength(1)
  })

  test.each(named(narrowLines))('the linter lets through lines of %s', (_what, one) => {
    expect(wideIn(one)).toEqual([])
  })

  test.each(named(fullTitles))('accepts the title in %s', (_what, one) => {
    expect(foundIn(one).filter(({ code }) => code === 'house(sentence-titles)')).toEqual([])
  })

  test.each(named(openWays))('the linter lets through imports by %s', (_what, one) => {
    expect(foundIn(one).filter((finding) => finding.code === restrictedImport)).toEqual([])
  })
})

describe('walls.ts', () => {
  const sides = [
    { side: 'server', rooms: serverRooms, files: [...aboveRooms.server, 'tsconfig.json', 'migrations'] },
    {
      side: 'web',
      rooms: webRooms,
      files: [...aboveRooms.web, 'tsconfig.json', '*.css', '*.html', 'public'],
    },
  ]

  test.each(sides)('walls.ts knows every room of the $side', ({ side, rooms, files }) => {
    const known = [...rooms, ...files, '*.test.{ts,tsx}', '*.d.ts']
    const entries = readdirSync(join(import.meta.dirname, 'src', side))
    expect(entries.filter((entry) => !known.some((pattern) => matchesGlob(entry, pattern)))).toEqual([])
  })

  test.each(Object.entries(roomFolders))('walls.ts knows every folder of %s', (room, folders) => {
    const entries = readdirSync(join(import.meta.dirname, 'src', room), {
      recursive: true,
      withFileTypes: true,
    })
    const holding = entries
      .filter(({ name }) => /\.tsx?$/.test(name))
      .map(({ parentPath }) => relative(join(import.meta.dirname, 'src', room), parentPath))
    expect(new Set(holding)).toEqual(new Set(['', ...folders]))
  })

  test('walls.ts opens no room that does not exist', () => {
    const rooms: readonly string[] = [...serverRooms, ...webRooms]
    expect(openRooms.filter((room) => !rooms.includes(room))).toEqual([])
  })
})

describe('the source tree', () => {
  const mostLines = 300
  /** Tests do not count. A folder that grows beyond twelve is about to need a seam. */
  const mostFiles = 14

  const files = globSync('{src,proof,bench,e2e,scripts}/**/*.{ts,tsx}', {
    cwd: import.meta.dirname,
    exclude: ['**/*.test.{ts,tsx}', '**/{output,node_modules}/**'],
  })

  test(`has no file of more than ${mostLines} lines`, () => {
    const linesOf = (file: string) =>
      readFileSync(join(import.meta.dirname, file), 'utf8')
        .trimEnd()
        .split('\n').length
    expect(files.filter((file) => linesOf(file) > mostLines)).toEqual([])
  })

  test(`has no folder of src with more than ${mostFiles} files`, () => {
    const folders = Map.groupBy(
      files.filter((file) => file.startsWith('src/')),
      (file) => dirname(file),
    )
    const full = [...folders].filter(([, within]) => within.length > mostFiles)
    expect(full.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
  })
})
