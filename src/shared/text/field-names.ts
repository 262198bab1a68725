import { nameIn, type Placeholder } from './template.ts'

/** What a field of a text is called on the screens. */
export const fieldLabels: Readonly<Record<Placeholder, string>> = {
  position: 'Posição na fila',
  contact: 'Nome do contato',
  firstName: 'Primeiro nome',
  operator: 'Operador',
  company: 'Empresa',
  protocol: 'Protocolo',
  sector: 'Setor',
  opcoes: 'Opções do menu',
}

/** The label of a placeholder with its braces; one that is not known stays as it is written. */
export function fieldNameOf(placeholder: string): string {
  const labels: Readonly<Record<string, string>> = fieldLabels
  return labels[nameIn(placeholder)] ?? placeholder
}
