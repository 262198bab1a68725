// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { ReplyFile } from './reply-file.tsx'

const voice = {
  name: 'aaaaaaaaaaaaaaaa',
  fileName: 'voz.ogg',
  mimeType: 'audio/ogg',
  sizeBytes: 2048,
  voiceSeconds: 7,
}

test('a stored voice that is not sent as one for now can be sent as one again', () => {
  const changed = vi.fn<(file: QuickResponseFile | undefined) => void>()
  function Fields() {
    const [file, setFile] = useState<QuickResponseFile | undefined>(voice)
    return (
      <ReplyFile
        file={file}
        url={undefined}
        name="da resposta"
        isUploading={false}
        upload={async () => voice}
        onChange={(next) => {
          changed(next)
          setFile(next)
        }}
      />
    )
  }
  render(
    <UiProvider>
      <Fields />
    </UiProvider>,
  )
  fireEvent.click(screen.getByRole('switch'))
  expect(changed.mock.lastCall?.[0]?.voiceSeconds).toBeUndefined()
  fireEvent.click(screen.getByRole('switch'))
  expect(changed).toHaveBeenLastCalledWith(voice)
})
