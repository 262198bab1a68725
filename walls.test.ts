import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Finding, findingsOf, type PlantedFile } from './scripts/planted-breaches.ts'
import { aboveRooms, openRooms, roomFolders, serverRooms, webRooms } from './walls.ts'

// Plants a breach of each rule where it would occur, and expects that the linter reports it.

interface Breach extends PlantedFile {
  wall: string
  /** Part of the linter's message. */
  reason: string
}

const restrictedImport = 'eslint(no-restricted-imports)'
const fetches = (path: string) => `import { x } from '${path}'\nexport const y = x`
const passesOn = (...paths: string[]) =>
  paths.map((path, index) => `export { x as x${index} } from '${path}'`).join('\n')

const tallWalls: Breach[] = [
  {
    wall: 'shared imports the server',
    folder: 'src/shared',
    code: fetches('#server/users/users.ts'),
    reason: 'nothing of ours',
  },
  {
    wall: 'shared climbs out',
    folder: 'src/shared',
    code: fetches('../web/ui/buttons/button.tsx'),
    reason: 'never by ../',
  },
  {
    wall: 'the server imports the web',
    folder: 'src/server/contacts',
    code: fetches('#web/ui/buttons/button.tsx'),
    reason: 'never imports the web',
  },
  {
    wall: 'the server imports the web while it runs',
    folder: 'src/server/contacts',
    code: "export const y = () => import('#web/ui/buttons/button.tsx')",
    reason: 'never imports the web',
  },
  {
    wall: 'a test of the server imports the web',
    folder: 'src/server/contacts',
    code: fetches('#web/ui/buttons/button.tsx'),
    ending: 'test.ts',
    reason: 'never imports the web',
  },
  {
    wall: 'a room of the server starts the simulator',
    folder: 'src/server/gateway',
    code: fetches('#simulator/simulator.ts'),
    reason: 'start the simulator',
  },
  {
    wall: 'a file above the rooms starts the simulator',
    folder: 'src/server',
    code: fetches('#simulator/simulator.ts'),
    reason: 'start the simulator',
  },
  {
    wall: 'a command starts the simulator',
    folder: 'src/server/cli',
    code: fetches('#simulator/simulator.ts'),
    reason: 'start the simulator',
  },
  {
    wall: 'a folder of the demonstration starts the simulator',
    folder: 'src/server/demo/history',
    code: fetches('#simulator/simulator.ts'),
    reason: 'start the simulator',
  },
  {
    wall: 'the web imports a type of the server',
    folder: 'src/web/contacts',
    code: "import type { x } from '#server/contacts/contacts.ts'\nexport const y: x = 1",
    reason: 'only shared and itself',
  },
  {
    wall: 'the web imports the simulator',
    folder: 'src/web/contacts',
    code: fetches('#simulator/control-api.ts'),
    reason: 'only shared and itself',
  },
  {
    wall: 'the simulator imports the server',
    folder: 'src/simulator',
    code: fetches('#server/gateway/gateway.ts'),
    reason: 'only shared',
  },
  {
    wall: 'the simulator imports its page',
    folder: 'src/simulator',
    code: fetches('#simulator/page/phone.tsx'),
    reason: 'above it',
  },
  {
    wall: 'the page of the simulator imports the server',
    folder: 'src/simulator/page',
    code: fetches('#server/gateway/gateway.ts'),
    reason: 'never imports the server',
  },
  {
    wall: 'the page of the simulator imports a screen',
    folder: 'src/simulator/page',
    code: fetches('#web/contacts/contacts.tsx'),
    reason: 'ui alone',
  },
  {
    wall: 'the page of the simulator reaches into it',
    folder: 'src/simulator/page',
    code: fetches('#simulator/state.ts'),
    reason: 'control-api.ts',
  },
]

const lowWalls: Breach[] = [
  {
    wall: 'a room imports from a folder above the rooms',
    folder: 'src/server/contacts',
    code: fetches('#server/demo/data.ts'),
    reason: 'stands above the rooms',
  },
  {
    wall: 'a room of the server imports a later one',
    folder: 'src/server/contacts',
    code: fetches('#server/conversations/conversations.ts'),
    reason: 'before it',
  },
  {
    wall: 'a room of the web imports a later one',
    folder: 'src/web/contacts',
    code: fetches('#web/conversations/conversations.tsx'),
    reason: 'before it',
  },
  {
    wall: 'a room passes on what a later one has',
    folder: 'src/server/contacts',
    code: passesOn('#server/conversations/conversations.ts'),
    reason: 'before it',
  },
  {
    wall: 'a sub-folder imports a later room',
    folder: 'src/web/contacts/planted',
    code: fetches('#web/shell/shell.tsx'),
    ending: 'tsx',
    reason: 'before it',
  },
  {
    wall: 'a room climbs into a later one',
    folder: 'src/server/contacts',
    code: fetches('../conversations/conversations.ts'),
    reason: 'never by ../',
  },
  {
    wall: 'a sub-folder climbs out of its room',
    folder: 'src/server/contacts/planted',
    code: fetches('../../conversations/conversations.ts'),
    reason: 'never by ../../',
  },
  {
    wall: 'a room imports the file that puts all together',
    folder: 'src/server/contacts',
    code: fetches('#server/app.ts'),
    reason: 'above the rooms',
  },
  {
    wall: 'a room of the server enters beside the door',
    folder: 'src/server/conversations',
    code: fetches('#server/contacts/queries.ts'),
    reason: 'entered by its door',
  },
  {
    wall: 'a room of the web enters beside the door',
    folder: 'src/web/conversations',
    code: fetches('#web/contacts/contacts-screen.tsx'),
    reason: 'entered by its door',
  },
]

/** A breach for each pair of neighbouring folders, and two ways around the order for each folder. */
const folderWalls: Breach[] = Object.entries(roomFolders).flatMap(([room, folders]) =>
  folders.flatMap((folder, index) => {
    const [later, place] = [folders[index + 1], `src/${room}/${folder}`]
    const breaches: Breach[] = [
      {
        wall: `${room}/${folder} imports the root of its room`,
        folder: place,
        code: fetches(`#${room}/queries.ts`),
        reason: `What stands at the root of ${room}`,
      },
      {
        wall: `${room}/${folder} climbs into another folder`,
        folder: place,
        code: fetches(`../${later ?? folders[0]}/x.ts`),
        reason: 'Another folder of the room',
      },
    ]
    if (later !== undefined)
      breaches.push({
        wall: `${room}/${folder} imports the later ${later}`,
        folder: place,
        code: fetches(`#${room}/${later}/x.ts`),
        reason: `${folder} imports only folders`,
      })
    return breaches
  }),
)

/** Breaches of the rules for every file, each with the rule that must report it. */
const otherRules: { what: string; planted: PlantedFile[]; rule: string }[] = [
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
  {
    what: 'a value has any type',
    planted: [{ folder: 'src/shared', code: 'export const x = (value: any) => value' }],
    rule: 'typescript(no-explicit-any)',
  },
  {
    what: 'nobody waits for a promise',
    planted: [
      { folder: 'src/server/users', code: 'const f = async () => 1\nexport const g = () => {\n  f()\n}' },
    ],
    rule: 'typescript(no-floating-promises)',
  },
  {
    what: 'a promise is taken for a truth',
    planted: [
      {
        folder: 'src/server/users',
        code: 'const ok = async () => false\nexport const g = () => (ok() ? 1 : 2)',
      },
    ],
    rule: 'typescript(no-misused-promises)',
  },
  {
    what: 'what is awaited is no promise',
    planted: [{ folder: 'src/server/users', code: 'export const g = async () => await 1' }],
    rule: 'typescript(await-thenable)',
  },
  {
    what: 'an id can be guessed',
    planted: [{ folder: 'src/server/users', code: 'export const id = () => Math.random()' }],
    rule: 'eslint(no-restricted-properties)',
  },
  {
    what: 'everything is exported',
    planted: [{ folder: 'src/server/users', code: "export * from '#shared/users/users.ts'" }],
    rule: 'house(no-export-star)',
  },
  {
    what: 'an export has no name',
    planted: [{ folder: 'src/server/users', code: 'export default 1' }],
    rule: 'import(no-default-export)',
  },
  {
    what: 'an error is swallowed',
    planted: [{ folder: 'src/server/users', code: 'try {\n  JSON.parse(process.argv[0])\n} catch {}' }],
    rule: 'eslint(no-empty)',
  },
  {
    what: 'markup comes from a string',
    planted: [
      {
        folder: 'src/web/users',
        code: 'export const X = () => <p dangerouslySetInnerHTML={{ __html: location.hash }} />',
        ending: 'tsx',
      },
    ],
    rule: 'react(no-danger)',
  },
  {
    what: 'a hook is called only sometimes',
    planted: [
      {
        folder: 'src/web/users',
        code: "import { useId } from 'react'\nexport const X = ({ on }) => <p>{on ? useId() : ''}</p>",
        ending: 'tsx',
      },
    ],
    rule: 'react-hooks(rules-of-hooks)',
  },
  {
    what: 'an effect overlooks what it depends on',
    planted: [
      {
        folder: 'src/web/users',
        code:
          "import { useEffect } from 'react'\n" +
          'export const X = ({ title }) => {\n' +
          '  useEffect(() => {\n    document.title = title\n  }, [])\n  return null\n}',
        ending: 'tsx',
      },
    ],
    rule: 'react-hooks(exhaustive-deps)',
  },
  {
    what: 'a certificate is not checked',
    planted: [{ folder: 'src/server/gateway', code: 'export const tls = { rejectUnauthorized: false }' }],
    rule: 'house(no-blind-tls)',
  },
  ...['new Date()', 'Date.now()'].map((clock) => ({
    what: `the server looks at a clock that may be set, by ${clock}`,
    planted: [{ folder: 'src/server/conversations', code: `export const at = ${clock}` }],
    rule: 'house(no-wall-clock)',
  })),
  {
    what: 'a call with several rows whose handler never asks for one of them',
    planted: [
      {
        folder: 'src/server/conversations',
        code: 'http.routeByRow(read, async ({ permit }) => find())',
      },
    ],
    rule: 'house(judged-calls)',
  },
  ...[
    'findMessageIn(db, locked, id)',
    'listMessageRows(db, [id])',
    'db.select().from(messages).where(eq(messages.id, id))',
    'db.select().from(messages).where(and(isOpen, inArray(messages.id, [id]))).limit(1)',
    'sql`select m.content from messages m where m.id = ${id}`',
    'sql`(select p.sort_at from conversations c join messages p on true where p.id = any(${id}))`',
  ].map((read) => ({
    what: `a message is read by its id, whoever asks, by ${read}`,
    planted: [
      { folder: 'src/server/conversations/outgoing', code: `export const reads = (id: number) => ${read}` },
    ],
    rule: 'house(messages-by-id)',
  })),
  ...[
    "import { join } from 'node:path'\nexport const path = (dir: string) => join(dir, 'uploads', 'x')",
    "import { rm } from 'node:fs/promises'\nexport const gone = () => rm('uploads/ab/abc')",
    "import { openPlaces } from '#server/platform/file-store/places.ts'\nexport const y = openPlaces",
    "import { createBucket as b } from '#server/platform/file-store/bucket.ts'\nexport const y = b",
  ].map((code) => ({
    what: `files are found without their store: ${code}`,
    planted: [{ folder: 'src/server/conversations/media', code }],
    rule: 'house(files-by-store)',
  })),
  ...[
    'app.post(path, { bodyLimit: 1e9 }, take)',
    'app.post(path, { bodyLimit }, take)',
    "app.addContentTypeParser('text/csv', read)",
    'request.file()',
    'request.parts({ preservePath: true })',
  ].map((code) => ({
    what: `a body has a limit of its own or none: ${code}`,
    planted: [{ folder: 'src/server/contacts', code: `export const y = () => ${code}` }],
    rule: 'house(limited-bodies)',
  })),
  ...['await list.count()', '(await stored()).status', '[await a.isVisible(), 1]'].map((look) => ({
    what: `a browser test looks once, by expect(${look})`,
    planted: [{ folder: 'e2e', code: `export const looks = async () => expect(${look}).toBe(1)` }],
    rule: 'house(no-single-look)',
  })),
  ...[
    '<p>{message.content}</p>',
    '<>{isShort && message.content.trim()}</>',
    '<p>{content || label}</p>',
    '<img alt={message.fileName ?? label} />',
    '<b aria-label={`Abrir ${content}`} />',
    '<Head title={[location.address, label].join()} />',
  ].map((drawn) => ({
    what: `a text of any length is drawn whole, by ${drawn}`,
    planted: [
      {
        folder: 'src/web/conversations/bodies',
        code: `export const X = () => ${drawn}`,
        ending: 'tsx' as const,
      },
    ],
    rule: 'house(bounded-texts)',
  })),
  {
    what: 'a server test waits for the webhooks alone, while a reply may still be in the outbox',
    planted: [
      {
        folder: 'src/server/conversations',
        code: 'export const looks = async () => control.idle()',
        ending: 'test.ts',
      },
    ],
    rule: 'house(settled-app)',
  },
  ...[
    "test('is so for fifteen', () => {})",
    "test('%s %s %s %s %s', () => {})",
    'testAtNight(`${name} fails`, () => {})',
    "test.runIf(isNight)('fails at ' + 'night', () => {})",
    "describe('a client', () => test.concurrent.each([1])('$name', () => {}))",
    'it.each`a\n${1}`(title, () => {})',
  ].map((code) => ({
    what: `the title of a test is no sentence: ${code}`,
    planted: [{ folder: 'src/server/contacts', code, ending: 'test.ts' as const }],
    rule: 'house(sentence-titles)',
  })),
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
const openWays: (PlantedFile & { way: string })[] = [
  {
    way: 'doors of earlier rooms, open rooms and shared',
    folder: 'src/server/conversations',
    code: passesOn(
      '#server/contacts/contacts.ts',
      '#server/schema/contacts.ts',
      '#shared/contacts.ts',
      './queries.ts',
    ),
  },
  {
    way: 'the same on the web, from a sub-folder',
    folder: 'src/web/contacts/planted',
    code: passesOn('#web/users/users.tsx', '#web/ui/buttons/button.tsx', '../queries.ts'),
    ending: 'tsx',
  },
  {
    way: 'earlier folders of the same room, and doors of earlier rooms',
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
    way: 'a test that looks behind doors and calls the simulator',
    folder: 'src/server/contacts',
    code: passesOn('#server/conversations/queries.ts', '#server/app.ts', '#simulator/simulator.ts'),
    ending: 'test.ts',
  },
  {
    way: 'the page of the simulator to its own means',
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
    way: 'a browser test that waits, or says why it does not',
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

const walls = [...tallWalls, ...lowWalls, ...folderWalls]

describe('the linter', () => {
  let found: Map<object, Finding[]>
  // One run for all, since starting the linter takes most of the time.
  beforeAll(async () => {
    const cases = [...walls, ...openWays, ...otherRules, ...wideLines, ...narrowLines, ...fullTitles]
    const findings = await findingsOf(cases.map((one) => ('planted' in one ? [one.planted].flat() : [one])))
    found = new Map(cases.map((one, index) => [one, findings[index] ?? []]))
  }, 120_000)
  const foundIn = (one: object) => found.get(one) ?? []

  test.each(walls.map((one) => [one.wall, one] as const))(
    'the linter refuses an import when %s',
    (_wall, one) => {
      const reasons = foundIn(one).filter((finding) => finding.code === restrictedImport)
      expect(reasons.map((finding) => finding.help).join('\n')).toContain(one.reason)
    },
  )

  test.each(otherRules.map((one) => [one.what, one] as const))(
    'the linter reports an error when %s',
    (_what, one) => {
      const errors = foundIn(one).filter((finding) => finding.severity === 'error')
      expect(errors.map((finding) => finding.code)).toContain(one.rule)
    },
  )

  const wideIn = (one: object) => foundIn(one).filter(({ code }) => code === 'house(max-columns)')

  test.each(wideLines.map((one) => [one.what, one] as const))(
    'the linter refuses %s over 110 columns',
    (_what, one) => {
      expect(wideIn(one)).toHaveLength(1)
    },
  )

  test.each(narrowLines.map((one) => [one.what, one] as const))(
    'the linter lets through lines of %s',
    (_what, one) => {
      expect(wideIn(one)).toEqual([])
    },
  )

  test.each(fullTitles.map((one) => [one.what, one] as const))('accepts the title in %s', (_what, one) => {
    expect(foundIn(one).filter(({ code }) => code === 'house(sentence-titles)')).toEqual([])
  })

  test.each(openWays.map((one) => [one.way, one] as const))(
    'the linter lets through imports by %s',
    (_way, one) => {
      expect(foundIn(one).filter((finding) => finding.code === restrictedImport)).toEqual([])
    },
  )
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
