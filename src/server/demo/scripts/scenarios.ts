import type { DemoSectorName } from '#server/demo/sectors.ts'
import { billingScenarios } from './billing.ts'
import { deliveryScenarios } from './delivery.ts'
import { salesScenarios } from './sales.ts'
import type { Scenario } from './script.ts'
import { workScenarios } from './work.ts'

/** A scenario, and the sector whose people answer it. */
export interface PlacedScenario extends Scenario {
  sector: DemoSectorName
}

/** Those that others answer than the rest of their file. */
const exceptions: Readonly<Record<string, DemoSectorName>> = {
  elogio: 'Comercial',
  'reclamação do atendimento': 'Comercial',
  horário: 'Comercial',
  engano: 'Comercial',
  'fornecedor nota': 'Financeiro',
  'fornecedor preço': 'Comercial',
  'reposição sugerida': 'Comercial',
  cobrança: 'Financeiro',
  pesquisa: 'Comercial',
  'retorno de proposta': 'Comercial',
}

const placed = (sector: DemoSectorName, all: readonly Scenario[]): PlacedScenario[] =>
  all.map((scenario) => ({ ...scenario, sector: exceptions[scenario.name] ?? sector }))

export const scenarios: readonly PlacedScenario[] = [
  ...placed('Comercial', salesScenarios),
  ...placed('Suporte', deliveryScenarios),
  ...placed('Financeiro', billingScenarios),
  ...placed('Suporte', workScenarios),
]
