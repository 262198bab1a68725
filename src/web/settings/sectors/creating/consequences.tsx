import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Candidate, Inherited } from '#shared/sectors/managed-sectors.ts'
import { listedWords } from '#web/settings/sectors/words.ts'
import type { Draft } from './use-new-sector.ts'

/** What changes for whom, before it takes effect. */
export function Consequences({
  draft: { name, people, numberIds, defaultOf },
  candidates,
  numbers,
}: {
  draft: Draft
  candidates: readonly Candidate[]
  numbers: Inherited['numbers']
}) {
  const nameOf = (userId: number) => candidates.find((one) => one.userId === userId)?.name ?? '--'
  const leads = people.filter(({ isLead }) => isLead).map(({ userId }) => nameOf(userId))
  const members = people.map(({ userId }) => nameOf(userId))
  const isServed = (id: number) => numberIds === null || numberIds.includes(id)
  const given = numbers.filter(({ id }) => defaultOf.includes(id) && isServed(id)).map((one) => one.name)
  const sector = <b className="font-semibold wrap-anywhere">{name.trim()}</b>
  return (
    <ul className="grid gap-2.5 text-sm">
      <Line>
        {members.length === 0 ? (
          <>Ninguém está em {sector} ainda: você põe pessoas nele quando quiser.</>
        ) : (
          <>
            {listedWords(members)} {members.length === 1 ? 'passa a ver' : 'passam a ver'} {sector} como o seu
            setor.
          </>
        )}
      </Line>
      {leads.length > 0 && (
        <Line>
          {listedWords(leads)} {leads.length === 1 ? 'responde' : 'respondem'} por ele:{' '}
          {leads.length === 1 ? 'muda' : 'mudam'} pessoas, textos e horário.
        </Line>
      )}
      {members.length > 0 && leads.length === 0 && (
        <Line>
          Ninguém responde por ele: quando a fila para, ninguém da equipe é avisado, só quem administra.
        </Line>
      )}
      <Line>Para os outros nada muda, enquanto o alcance de todos for ‘Todas’: cada um vê o que via.</Line>
      <Line>
        {given.length === 0 ? (
          <>Conversas novas ficam em ‘Sem setor’, até que alguém as coloque em {sector}.</>
        ) : (
          <>
            Conversas novas de {listedWords(given)} vão para {sector}, com a sua fila.
          </>
        )}
      </Line>
      <Line>
        A partir do segundo setor, o cliente pode escolher o seu num menu: ligue ‘Menu de setores’ em
        Configurações Avançadas, Pré-atendimento.
      </Line>
      <Line>As conversas abertas agora ficam onde estão. Nada é enviado aos clientes.</Line>
    </ul>
  )
}

function Line({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <Check size={16} aria-hidden className="mt-0.5 flex-none text-accent-text" />
      <span className="min-w-0 text-pretty">{children}</span>
    </li>
  )
}
