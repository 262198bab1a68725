import type { SectorSettings } from '#shared/settings/own-settings.ts'

/** A sector of the demo. */
interface DemoSector {
  name: string
  color: string
  description: string
  people: readonly { username: string; isLead: boolean }[]
  own?: Partial<SectorSettings>
}

/** In the order of the client's menu. All others follow the installation's hours and texts. */
export const demoSectors = [
  {
    name: 'Comercial',
    color: '#0d9488',
    description: 'Preços, pedidos e prazos',
    people: [
      { username: 'ana', isLead: true },
      { username: 'bruno', isLead: false },
      { username: 'elisa', isLead: false },
    ],
  },
  {
    name: 'Financeiro',
    color: '#2563eb',
    description: 'Boletos, notas fiscais e cadastro',
    people: [
      { username: 'bruno', isLead: true },
      { username: 'ana', isLead: false },
    ],
    own: { transferMessage: 'Vou te passar para o {{sector}}. Já te respondem por aqui.' },
  },
  {
    name: 'Suporte',
    color: '#ea580c',
    description: 'Entregas, trocas e equipamentos',
    people: [
      { username: 'carla', isLead: true },
      { username: 'supervisora', isLead: true },
      { username: 'diego', isLead: false },
      { username: 'elisa', isLead: false },
    ],
    own: {
      workingHours: {
        start: '08:00',
        end: '19:00',
        days: [1, 2, 3, 4, 5],
        differentDays: [{ day: 6, start: '08:00', end: '13:00', lunch: 'none' }],
      },
      lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    },
  },
] as const satisfies readonly DemoSector[]

export type DemoSectorName = (typeof demoSectors)[number]['name']

/** Where conversations come that nothing else decides about. */
export const defaultSector: DemoSectorName = 'Comercial'

/** The sectors of a person; of whoever is in none, all. */
export function sectorsOf(username: string): readonly DemoSectorName[] {
  const own = demoSectors.filter(({ people }) => people.some((person) => person.username === username))
  return (own.length > 0 ? own : demoSectors).map(({ name }) => name)
}
