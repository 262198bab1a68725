// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { testConfig } from '#web/gateway/test-config.ts'
import { inApp } from '#web/users/test-app.tsx'
import { GatewayStep } from './gateway-step.tsx'

const line = 'GATEWAY_ALLOWED_HOSTS=evolution:8080'
const refusal = {
  success: false,
  total: 0,
  instanceNames: [],
  message: 'O endereço do gateway não é permitido. Libere-o em GATEWAY_ALLOWED_HOSTS.',
  details: '',
  version: null,
  missingHost: 'evolution:8080',
}
let asked: string[]
beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return Response.json(refusal)
  })
})

const config: EvolutionConfig = { ...testConfig, isActive: false, status: 'close' }

function show(given: EvolutionConfig | undefined) {
  render(<GatewayStep config={given} isDone={false} isNext />, {
    wrapper: inApp(new QueryClient({ defaultOptions: { queries: { retry: false } } })),
  })
}
const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Testar e continuar' }))

test('a refusal with its line does not stay beside other values, nor beside another error', async () => {
  show(undefined)
  type(/^URL base/, 'http://evolution:8080')
  type(/^Chave da API/, 'uma-chave')
  submit()
  await screen.findByText(line)
  type(/^URL base/, 'evolution:8080')
  await waitFor(() => expect(screen.queryByText(line)).toBeNull())
  submit()
  await screen.findByText('URL base deve ser uma URL válida. Falta o começo: http:// ou https://')
  expect(screen.queryByText(line)).toBeNull()
})

test('a key of another installation is asked for again, and not taken for stored', async () => {
  show({ ...config, isKeyMissing: true })
  screen.getByText('Falta digitar a chave de novo')
  screen.getByText('Digite a chave de novo: ela veio de outra instalação.')
  submit()
  await screen.findByText('Chave da API é obrigatória')
  expect(asked).toEqual([])
})
