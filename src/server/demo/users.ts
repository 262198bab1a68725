import type { Role } from '#shared/permissions.ts'

/** The users of the demo: a packaging shop in São Paulo. All invented. */
export const demoUsers: readonly { username: string; name: string; role: Role }[] = [
  { username: 'admin', name: 'Marina Queiroz', role: 'admin' },
  { username: 'supervisora', name: 'Heloísa Duarte', role: 'supervisor' },
  { username: 'ana', name: 'Ana Beatriz Nogueira', role: 'operator' },
  { username: 'bruno', name: 'Bruno Tavares', role: 'operator' },
  { username: 'carla', name: 'Carla Menezes', role: 'operator' },
  { username: 'diego', name: 'Diego Sampaio', role: 'operator' },
  { username: 'elisa', name: 'Elisa Prates', role: 'operator' },
]
