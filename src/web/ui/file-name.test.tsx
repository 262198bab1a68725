// @vitest-environment happy-dom
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FileName } from './file-name.tsx'

const partsOf = (name: string) => {
  const shown = render(<FileName name={name} />).container.firstElementChild
  return [shown?.getAttribute('title'), ...[...(shown?.childNodes ?? [])].map((part) => part.textContent)]
}
const long = 'n'.repeat(60)

test.each([
  ['nota.pdf', ['nota.pdf', 'nota.pdf']],
  [`${long}.pdf`, [`${long}.pdf`, long, '.pdf']],
  [`${long}.tar.gz`, [`${long}.tar.gz`, `${long}.tar`, '.gz']],
  [long, [long, long]],
  // A full stop is not the beginning of an ending.
  [`${long}. Segunda via`, [`${long}. Segunda via`, `${long}. Segunda via`]],
])('%s is cut before its ending', (name, parts) => expect(partsOf(name)).toEqual(parts))

test('the ending of a name without end is kept, too', () => {
  const [title, stem, ending] = partsOf(`${'n'.repeat(5000)}.docx`)
  expect([title?.length, stem?.length, ending]).toEqual([301 + 5, 301, '.docx'])
})
