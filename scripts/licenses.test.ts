import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { licenses, licensesOf } from './licenses.ts'
import { projectFolder } from './start-line.ts'

test('what a build ships has the texts of its licences beside it, each once', async () => {
  const bundle = await rolldown({
    input: 'entry',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? join(projectFolder, 'src', 'entry.js') : null),
        load: (id) =>
          id.endsWith('/src/entry.js') ? `export * from 'clsx'; export * from 'zod/mini'` : null,
      },
      licenses(['@fontsource-variable/inter']),
    ],
  })
  const { output } = await bundle.generate()
  await bundle.close()
  const made = output.find(({ fileName }) => fileName === 'licenses.txt')
  const text = made?.type === 'asset' ? String(made.source) : ''
  for (const name of ['clsx', 'zod', '@fontsource-variable/inter'])
    expect(text.match(new RegExp(`^${name} \\d`, 'gm')), name).toHaveLength(1)
  expect(text).toContain('Permission is hereby granted')
  expect(text).toContain('SIL OPEN FONT LICENSE')
})

test('a package without a licence ends the build', () => {
  expect(() => licensesOf(['/nowhere/node_modules/nothing/index.js'])).toThrow()
  expect(licensesOf([join(projectFolder, 'src', 'server', 'main.ts')])).toBe('')
})

test('who wants to report a hole, or to take part, finds how', () => {
  for (const file of ['SECURITY.md', 'CONTRIBUTING.md', 'docs/operacao.md', 'LICENSE'])
    expect(existsSync(join(projectFolder, file)), file).toBe(true)
})
