// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import { ComposerField } from './composer-field.tsx'

const picture = new File([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])], 'image.png', {
  type: 'image/png',
})
const pdf = new File(['%PDF'], 'nota.pdf', { type: 'application/pdf' })

function paste(files: File[], data: Record<string, string>) {
  const onFiles = vi.fn()
  const { unmount } = render(
    <ComposerField field={createRef()} text="" onWrite={() => undefined} onFiles={onFiles} />,
  )
  const clipboardData = { files, getData: (type: string) => data[type] ?? '' }
  const isLeftToBrowser = fireEvent.paste(screen.getByLabelText('Mensagem'), { clipboardData })
  unmount()
  return { files: onFiles.mock.calls.flat(2) as unknown[], isLeftToBrowser }
}

test('cells of Excel, which come with a picture of themselves, are pasted as text', () => {
  const html = '<table><tr><td>Preço</td><td>10,00</td></tr></table>'
  for (const cells of ['Preço\t10,00', 'Preço\t10,00\nFrete\t5,00'])
    expect(paste([picture], { 'text/plain': cells, 'text/html': html })).toEqual({
      files: [],
      isLeftToBrowser: true,
    })
})

test.each([
  ['a copied picture', [picture], {}],
  ['a picture of a page, which has no text', [picture], { 'text/html': '<img src="x">' }],
  ['a copied file, beside which its name stands', [pdf], { 'text/plain': 'nota.pdf' }],
  ['two pictures beside their names', [picture, picture], { 'text/plain': '/tmp/image.png\n/tmp/image.png' }],
  ['a picture beside its own name', [picture], { 'text/plain': 'image.png' }],
])('%s is attached when it is pasted', (_what, files, data) => {
  expect(paste(files, data)).toEqual({ files, isLeftToBrowser: false })
})

test('text alone is left to the browser', () => {
  expect(paste([], { 'text/plain': 'oi' })).toEqual({ files: [], isLeftToBrowser: true })
})
