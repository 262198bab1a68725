import { pathSign } from '#shared/reasons/reasons.ts'
import type { DemoSectorName } from './sectors.ts'

/** A reason of the demo, with those within it. */
interface DemoReason {
  name: string
  /** Absent: of all. */
  sector?: DemoSectorName
  within: readonly string[]
  isActive?: boolean
}

export const demoReasons: readonly DemoReason[] = [
  { name: 'Comercial', within: ['Orçamento enviado', 'Pedido fechado', 'Dúvida de produto', 'Preço'] },
  {
    name: 'Financeiro',
    within: ['Segunda via', 'Boleto vencido', 'Nota fiscal', 'Cadastro e limite', 'Cobrança'],
  },
  { name: 'Logística', within: ['Prazo de entrega', 'Atraso', 'Avaria ou falta', 'Retirada'] },
  { name: 'Suporte', sector: 'Suporte', within: ['Equipamento', 'Treinamento', 'Dúvida'] },
  { name: 'Elogio ou reclamação', within: [] },
  { name: 'Engano', within: [] },
  { name: 'Campanha de Páscoa', within: [], isActive: false },
]

const scenarioReasons: Readonly<Record<string, readonly [string, string?]>> = {
  orçamento: ['Comercial', 'Orçamento enviado'],
  'retorno de proposta': ['Comercial', 'Orçamento enviado'],
  'medida sob encomenda': ['Comercial', 'Orçamento enviado'],
  'sacola personalizada': ['Comercial', 'Orçamento enviado'],
  'pedido novo': ['Comercial', 'Pedido fechado'],
  'repetir o pedido': ['Comercial', 'Pedido fechado'],
  'reposição sugerida': ['Comercial', 'Pedido fechado'],
  'data comemorativa': ['Comercial', 'Pedido fechado'],
  estoque: ['Comercial', 'Dúvida de produto'],
  catálogo: ['Comercial', 'Dúvida de produto'],
  'dúvida de produto': ['Comercial', 'Dúvida de produto'],
  desconto: ['Comercial', 'Preço'],
  'fornecedor preço': ['Comercial', 'Preço'],
  'segunda via': ['Financeiro', 'Segunda via'],
  'boleto vencido': ['Financeiro', 'Boleto vencido'],
  'nota fiscal': ['Financeiro', 'Nota fiscal'],
  'fornecedor nota': ['Financeiro', 'Nota fiscal'],
  'faturar em outro CNPJ': ['Financeiro', 'Cadastro e limite'],
  'limite e cadastro': ['Financeiro', 'Cadastro e limite'],
  'documento da empresa': ['Financeiro', 'Cadastro e limite'],
  'pagamento em dobro': ['Financeiro', 'Cobrança'],
  cobrança: ['Financeiro', 'Cobrança'],
  'onde está o pedido': ['Logística', 'Prazo de entrega'],
  rastreio: ['Logística', 'Prazo de entrega'],
  'agendar entrega': ['Logística', 'Prazo de entrega'],
  'aviso de entrega': ['Logística', 'Prazo de entrega'],
  'fornecedor entrega': ['Logística', 'Prazo de entrega'],
  'mudança de endereço': ['Logística', 'Prazo de entrega'],
  atraso: ['Logística', 'Atraso'],
  'faltou item': ['Logística', 'Avaria ou falta'],
  avaria: ['Logística', 'Avaria ou falta'],
  'produto trocado': ['Logística', 'Avaria ou falta'],
  retirada: ['Logística', 'Retirada'],
  coleta: ['Logística', 'Retirada'],
  seladora: ['Suporte', 'Equipamento'],
  balança: ['Suporte', 'Equipamento'],
  leitor: ['Suporte', 'Equipamento'],
  treinamento: ['Suporte', 'Treinamento'],
  elogio: ['Elogio ou reclamação'],
  'reclamação do atendimento': ['Elogio ou reclamação'],
  engano: ['Engano'],
}

/**
 * With what a conversation of the demo that a person finalized ended, as its path; of one in twelve nobody
 * said. Without dice, which would change everything that is drawn after it.
 */
export function demoReasonOf(
  scenario: string,
  sector: DemoSectorName,
  completedAt: Date,
): string | undefined {
  const [first, second] = scenarioReasons[scenario] ?? []
  if (first === undefined || Math.floor(completedAt.getTime() / 1000) % 12 === 0) return undefined
  const isOfOther = demoReasons.some(({ name, sector: own }) => name === first && own && own !== sector)
  return isOfOther ? undefined : [first, second].filter(Boolean).join(pathSign)
}
