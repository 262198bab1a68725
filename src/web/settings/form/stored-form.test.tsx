// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { expect, test } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { NumberSetting } from '#web/settings/fields/controls.tsx'
import { MeContext } from '#web/users/me-context.ts'
import { type FormValues, type Stored, StoredForm } from './stored-form.tsx'
import { testSettings } from './test-settings.ts'

const me = { id: 1, name: 'Eu', role: 'admin', permissions: { canEditSettings: true } }
const base: Stored = {
  ...testSettings,
  quickResponses: [{ shortcut: 'pix', text: 'Chave' }],
  inactivityWarningMinutes: 5,
  own: [],
  version: 1,
}

/** Calls `then` once the page shows this version, before any effect of that has run. */
function AtVersion({ version, wanted, then }: { version: number; wanted: number; then: () => void }) {
  useLayoutEffect(() => {
    if (version === wanted) then()
  }, [version, wanted, then])
  return null
}

function Shortcut() {
  const { register } = useFormContext<FormValues>()
  return <input aria-label="Atalho" {...register('quickResponses.0.shortcut')} />
}

const minutes = () => screen.getByLabelText<HTMLInputElement>('Minutos')
const type = (value: string) => fireEvent.input(minutes(), { target: { value } })

function page(
  stored: Stored,
  save: (typed: FormValues) => Promise<Stored> = async () => stored,
  then: () => void = () => undefined,
) {
  return (
    <MeContext value={me as unknown as Me}>
      <StoredForm
        stored={stored}
        keys={['inactivityWarningMinutes', 'maxActivePerOperator', 'quickResponses']}
        words={{ saved: 'Salvo', failed: String }}
        save={save}
      >
        <NumberSetting name="inactivityWarningMinutes" label="Minutos" unit="" min={0} max={29} />
        <NumberSetting name="maxActivePerOperator" label="Limite" unit="" min={1} max={1000} />
        <Shortcut />
        <AtVersion version={stored.version} wanted={2} then={then} />
      </StoredForm>
    </MeContext>
  )
}

test('text typed while a colleague saves something else stays', async () => {
  const { rerender } = render(page(base))
  rerender(page({ ...base, maxActivePerOperator: 9, version: 2 }, undefined, () => type('12')))
  await screen.findByDisplayValue('9')
  expect(minutes().value).toBe('12')
  screen.getByText('1 mudança não salva')
})

test('text typed while a colleague saves the same is shown as a conflict', async () => {
  const { rerender } = render(page(base))
  rerender(page({ ...base, inactivityWarningMinutes: 0, version: 2 }, undefined, () => type('12')))
  await screen.findByText(/Outra pessoa mudou/)
  expect(minutes().value).toBe('12')
})

test('another field that is changed while the form is being saved stays changed', async () => {
  const { promise, resolve } = Promise.withResolvers<Stored>()
  const { rerender } = render(page(base, () => promise))
  type('12')
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  await screen.findByText('Salvando...')
  fireEvent.input(screen.getByLabelText('Limite'), { target: { value: '7' } })
  const saved = { ...base, inactivityWarningMinutes: 12, version: 2 }
  rerender(page(saved, () => promise))
  resolve(saved)
  await waitFor(() => expect(screen.queryByText('Salvando...')).toBeNull())
  screen.getByText('1 mudança não salva')
  screen.getByDisplayValue('7')
})

test('what the server stores without its blanks is not an edit that was made meanwhile', async () => {
  const { rerender } = render(page(base))
  fireEvent.input(screen.getByLabelText('Atalho'), { target: { value: ' boleto ' } })
  const saved = { ...base, quickResponses: [{ shortcut: 'boleto', text: 'Chave' }], version: 3 }
  rerender(page(base, async () => saved))
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  await screen.findByDisplayValue('boleto')
  rerender(page(saved))
  await screen.findByText('Tudo salvo')
})
