import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { flagsSchema, roles } from './permissions.ts'
import { errorTexts } from './text.ts'

export const instant = z.iso.datetime({ offset: true })
export const id = z.number().int().min(1).max(2_147_483_647)
/** An id in a path or a query, where everything is a string. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .pipe(id)

/** The signed-in person, with the effective flags of the moment. */
export const me = z.object({
  id,
  username: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  permissions: flagsSchema,
})
export type Me = z.infer<typeof me>

export const loginForm = z.object({
  username: z.string().trim().min(1, errorTexts['auth.blank']).max(200),
  password: z
    .string()
    .max(1024)
    .refine((value) => value.trim() !== '', errorTexts['auth.blank']),
})
export type LoginForm = z.infer<typeof loginForm>

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Entrar',
  body: loginForm,
  reply: z.object({ token: z.string(), user: me }),
})

export const getMe = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  summary: 'Quem está conectado',
  reply: z.object({ user: me }),
})

export const logout = endpoint({ method: 'POST', path: '/api/auth/logout', summary: 'Sair' })

export const getServerTime = endpoint({
  method: 'GET',
  path: '/api/server-time',
  summary: 'Hora do servidor',
  reply: z.object({ serverTime: instant }),
})

const operator = z.object({
  id,
  name: z.string(),
  role: z.enum(roles),
  isOnline: z.boolean(),
  activeConversations: z.number().int(),
})

export const listOperators = endpoint({
  method: 'GET',
  path: '/api/users/operators',
  summary: 'Quem pode receber uma conversa',
  reply: z.array(operator),
})
