// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listConversations } from '#shared/conversations/conversation-endpoints.ts'
import { sendMessage } from '#shared/messages/message-endpoints.ts'
import { getMe, login } from '#shared/users/users.ts'
import { ApiError, call, NetworkError, onSessionEnded, reasonOf, sessionBegan, sessionEnded } from './api.ts'
import { storeToken } from './token.ts'

const fetched = vi.fn<typeof fetch>()
const onEnded = vi.fn<() => void>()

const answer = (status: number, body: unknown = {}) =>
  new Response(status === 204 ? null : typeof body === 'string' ? body : JSON.stringify(body), { status })
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  onSessionEnded(onEnded)
  storeToken('secret')
})

afterEach(() => {
  sessionBegan()
  fetched.mockReset()
  onEnded.mockReset()
})

test('a refusal carries the words, the code and the status of the server', async () => {
  const body = { code: 'conversations.taken', message: 'A conversa já está com Bruno.' }
  fetched.mockResolvedValue(answer(409, body))
  const error = await failure(call(listConversations))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ ...body, status: 409 })
  expect(String(error)).toBe(`409: ${JSON.stringify(body)}`)
})

test('an empty or foreign answer is described by its status', async () => {
  fetched.mockResolvedValue(new Response('', { status: 502, statusText: 'Bad Gateway' }))
  expect(String(await failure(call(listConversations)))).toBe('502: Bad Gateway')
  fetched.mockResolvedValue(answer(502, '<h1>nginx</h1>'))
  const error = await failure(call(listConversations))
  expect(error).toMatchObject({ code: undefined, userMessage: undefined, message: 'Tente novamente' })
  expect(String(error)).toBe('502: <h1>nginx</h1>')
})

test('a missing answer is described in Portuguese', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  const error = await failure(call(listConversations))
  expect(error).toBeInstanceOf(NetworkError)
  expect((error as Error).message).toBe('Erro de conexão. Verifique sua internet e tente novamente.')
})

/** Fails as a browser does once the call is given up. */
const unanswered: typeof fetch = (_address, { signal } = {}) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))

test('an answer that does not come in time is a lost connection, in Portuguese', async () => {
  fetched.mockImplementation(unanswered)
  expect(await failure(call(listConversations, { signal: AbortSignal.timeout(1) }))).toMatchObject({
    name: 'NetworkError',
    message: 'Erro de conexão. Verifique sua internet e tente novamente.',
  })
  sessionEnded()
  const error = await failure(call(listConversations, { signal: AbortSignal.timeout(1) }))
  expect(error).toBeInstanceOf(NetworkError)
})

test('a call that is given up on purpose fails with the reason for that', async () => {
  fetched.mockImplementation(unanswered)
  const giveUp = new AbortController()
  const error = failure(call(listConversations, { signal: giveUp.signal }))
  const reason = new Error('nobody looks any more')
  giveUp.abort(reason)
  expect(await error).toBe(reason)
})

test('an answer that breaks off, or is that of a hotel, is a lost connection', async () => {
  fetched.mockResolvedValue(answer(200, '<html>Bem-vindo ao Wi-Fi</html>'))
  expect(await failure(call(listConversations))).toBeInstanceOf(NetworkError)
  const broken = answer(200)
  vi.spyOn(broken, 'json').mockRejectedValue(new TypeError('network error'))
  fetched.mockResolvedValue(broken)
  expect(await failure(call(listConversations))).toBeInstanceOf(NetworkError)
})

test('the reason of a failure is what the server says, that the network is away, or unknown', () => {
  const said = JSON.stringify({ code: 'companies.duplicate', message: 'Já existe uma empresa com este nome' })
  expect(reasonOf(new ApiError(409, 'Conflict', said))).toBe('Já existe uma empresa com este nome')
  expect(reasonOf(new NetworkError(new TypeError('Failed to fetch')))).toBe(
    'Erro de conexão. Verifique sua internet e tente novamente.',
  )
  expect(reasonOf(new ApiError(502, 'Bad Gateway', '<html>'))).toBe('Erro desconhecido')
})

test('params, query, body and token find their places', async () => {
  fetched.mockImplementation(async () => answer(200, []))
  await call(listConversations, { query: { page: '2', limit: '10', search: 'Zé & cia' } })
  await call(sendMessage, {
    params: { id: 7 },
    body: { content: 'oi', clientMessageId: 'b3f1c9d2-54a0-4f7f-9d0e-0c6d3a1e2f44' },
  })
  const [[listed], [sent, init]] = fetched.mock.calls as [[string], [string, RequestInit]]
  expect(listed).toBe('/api/conversations?page=2&limit=10&search=Z%C3%A9+%26+cia')
  expect(sent).toBe('/api/conversations/7/messages')
  expect(init.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' })
})

test('after a 401 the handler is called at once, and the call repeated after the next login', async () => {
  fetched.mockResolvedValueOnce(answer(401)).mockResolvedValueOnce(answer(200, []))
  const reply = call(listConversations)
  await vi.waitFor(() => expect(onEnded).toHaveBeenCalledOnce(), 15_000)
  const other = call(listConversations)
  expect(fetched).toHaveBeenCalledOnce()
  fetched.mockResolvedValue(answer(200, []))
  storeToken('new')
  sessionBegan()
  await expect(reply).resolves.toEqual([])
  await expect(other).resolves.toEqual([])
})

test('a call that waits for a login can be given up', async () => {
  fetched.mockResolvedValueOnce(answer(401))
  const controller = new AbortController()
  const reply = failure(call(listConversations, { signal: controller.signal }))
  await vi.waitFor(() => expect(onEnded).toHaveBeenCalledOnce(), 15_000)
  controller.abort(new Error('left'))
  expect(await reply).toMatchObject({ message: 'left' })
})

test('the identity call receives its 401', async () => {
  fetched.mockResolvedValue(answer(401))
  expect(await failure(call(getMe))).toMatchObject({ status: 401 })
  expect(onEnded).toHaveBeenCalledOnce()
})

test('a wrong password ends no session', async () => {
  fetched.mockResolvedValue(answer(401, { code: 'auth.invalid_credentials', message: 'Usuario ou senha' }))
  const error = await failure(call(login, { body: { username: 'ana', password: 'x' } }))
  expect(error).toMatchObject({ status: 401, userMessage: 'Usuario ou senha' })
  expect(onEnded).not.toHaveBeenCalled()
})

test('what has not changed is not sent again, and is the same value', async () => {
  const tagged = (body: unknown, etag: string) => new Response(JSON.stringify(body), { headers: { etag } })
  const asked = () => new Headers(fetched.mock.lastCall?.[1]?.headers).get('if-none-match')
  fetched.mockResolvedValueOnce(tagged([{ id: 1 }], 'W/"a"'))
  const first = await call(listConversations)
  expect(asked()).toBeNull()
  fetched.mockResolvedValueOnce(new Response(null, { status: 304 }))
  expect(await call(listConversations)).toBe(first)
  expect(asked()).toBe('W/"a"')
  fetched.mockResolvedValueOnce(tagged([{ id: 2 }], 'W/"b"'))
  expect(await call(listConversations)).toEqual([{ id: 2 }])
  fetched.mockResolvedValueOnce(tagged([{ id: 3 }], 'W/"c"'))
  expect(await call(listConversations, { query: { page: '2' } })).toEqual([{ id: 3 }])
  expect(asked()).toBeNull()
})

test('the end of a session forgets its cached answers', async () => {
  fetched.mockResolvedValueOnce(new Response('[]', { headers: { etag: 'W/"a"' } }))
  await call(listConversations)
  sessionEnded()
  sessionBegan()
  fetched.mockResolvedValueOnce(answer(200, []))
  await call(listConversations)
  expect(new Headers(fetched.mock.lastCall?.[1]?.headers).get('if-none-match')).toBeNull()
})
