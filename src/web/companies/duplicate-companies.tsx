import { useQuery } from '@tanstack/react-query'
import { Merge } from 'lucide-react'
import { useState } from 'react'
import type { Company } from '#shared/contacts/companies.ts'
import { phoneAsTyped } from '#shared/text/phone.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { shortDate } from '#web/platform/dates.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { companyQueries, useKeepCompaniesApart, useMergeCompanies } from './queries.ts'

/** Asks whether two companies with the same phone number are one; one pair at a time. */
export function DuplicateCompanies() {
  const { data } = useQuery(companyQueries.duplicates())
  const apart = useKeepCompaniesApart()
  const [compared, setCompared] = useState<readonly [Company, Company]>()
  const [pair] = data ?? []
  return (
    <>
      {pair && (
        <section
          aria-label="Empresas repetidas"
          className={[
            'mb-3 flex flex-wrap items-center gap-2 rounded-control border border-line bg-sunken',
            'px-3 py-1.5 text-sm',
          ].join(' ')}
        >
          <Merge size={16} aria-hidden className="flex-none text-ink-2" />
          <p className="min-w-0 flex-1 max-md:basis-full [overflow-wrap:anywhere]">
            <b className="font-medium">{pair[0].name}</b> e <b className="font-medium">{pair[1].name}</b> têm
            o mesmo telefone. São a mesma empresa?
          </p>
          <Button size="sm" onClick={() => setCompared(pair)}>
            Comparar e juntar
          </Button>
          <Button
            size="sm"
            variant="ghost"
            isBusy={apart.isPending}
            busyLabel="Separando..."
            onClick={() => apart.mutate(pair)}
          >
            São diferentes
          </Button>
        </section>
      )}
      {compared && <CompareDialog pair={compared} onClose={() => setCompared(undefined)} />}
    </>
  )
}

function CompareDialog({
  pair: [one, other],
  onClose,
}: {
  pair: readonly [Company, Company]
  onClose: () => void
}) {
  const { mutateAsync, isPending } = useMergeCompanies()
  const merge = (kept: Company, gone: Company) =>
    mutateAsync({ keptId: kept.id, otherId: gone.id }).then(
      () => {
        toast({ tone: 'success', title: `Empresas juntadas em ${kept.name}` })
        onClose()
      },
      (error: unknown) => {
        const message = reasonOf(error)
        toast({ tone: 'error', title: `Falha ao juntar empresas: ${message}` })
      },
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Juntar empresas"
      description="Os contatos das duas ficam na mantida, que recebe o que falta. Não dá para desfazer."
      className="md:w-[640px]"
    >
      <div className="grid gap-3 md:grid-cols-2">
        {[one, other].map((company) => (
          <div key={company.id} className="grid content-start gap-2 rounded-card border border-line p-3">
            <Facts company={company} />
            <Button
              isBlock
              disabled={isPending}
              aria-label={`Manter esta: ${company.name}`}
              onClick={() => void merge(company, company === one ? other : one)}
            >
              Manter esta
            </Button>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

function Facts({ company }: { company: Company }) {
  const { name, phone, responsibleName, isActive, contactCount = 0, lastContactAt } = company
  return (
    <dl className="grid gap-0.5 text-sm [&>dd]:min-w-0 [&>dd]:[overflow-wrap:anywhere] [&>dt]:sr-only">
      <dt>Nome</dt>
      <dd className="font-medium" dir="auto">
        {name}
      </dd>
      <dt>Telefone</dt>
      <dd className="text-ink-2 tabular-nums">{phone ? phoneAsTyped(phone) : 'sem telefone'}</dd>
      <dt>Responsável</dt>
      <dd className="text-ink-2" dir="auto">
        {responsibleName ?? 'sem responsável'}
      </dd>
      <dt>Contatos</dt>
      <dd className="text-xs text-ink-3 tabular-nums">
        {contactCount === 1 ? '1 contato' : `${contactCount} contatos`}
        {lastContactAt ? ` · último contato ${shortDate(lastContactAt)}` : ''}
        {!isActive && ' · inativa'}
      </dd>
    </dl>
  )
}
