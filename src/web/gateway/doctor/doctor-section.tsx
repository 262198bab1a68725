import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCw, Stethoscope } from 'lucide-react'
import { type Examination, examineInstallation, type Finding } from '#shared/doctor/doctor.ts'
import { call } from '#web/platform/api/api.ts'
import { clockTime } from '#web/platform/dates.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { gatewayKeys } from '#web/gateway/pushed.ts'
import { FindingRow } from './finding-row.tsx'

/** Examines the installation and each number when somebody asks for it, and lists what was found. */
export function DoctorSection() {
  const client = useQueryClient()
  const examine = useMutation({
    mutationFn: () => call(examineInstallation),
    // It may have set a webhook.
    onSuccess: () => client.invalidateQueries({ queryKey: gatewayKeys.all }),
  })
  const run = () => examine.mutate()
  const { data: examination, isPending, error } = examine
  return (
    <SettingsSection
      title="Diagnóstico"
      description="O servidor, e o caminho de cada número até o WhatsApp e de volta."
    >
      <Card className="w-full">
        {isPending ? (
          <div className="grid justify-items-center gap-3 px-4 py-8 text-center">
            <Spinner size={20} className="text-ink-3" />
            <p role="status" className="text-sm text-ink-2">
              Conferindo… pode levar meio minuto.
            </p>
          </div>
        ) : error ? (
          <ErrorState description={error.message} isRetrying={false} onRetry={run} />
        ) : examination ? (
          <Examined examination={examination} onRun={run} />
        ) : (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 p-4">
            <p className="min-w-0 flex-1 basis-64 text-sm text-pretty text-ink-2">
              Diz o que impede mensagens de chegar ou de sair, e o que fazer. Manda um evento de prova que
              ninguém vê, e registra de novo o webhook se ele for nosso e estiver errado.
            </p>
            <Button icon={Stethoscope} onClick={run}>
              Conferir agora
            </Button>
          </div>
        )}
      </Card>
    </SettingsSection>
  )
}

function Examined({ examination, onRun }: { examination: Examination; onRun: () => void }) {
  const { at, findings } = examination
  const machine = findings.filter(({ instanceName }) => instanceName === null)
  const numbers = [...new Set(findings.flatMap(({ instanceName }) => instanceName ?? []))]
  return (
    <>
      <header className="flex min-h-11 items-center gap-x-2 border-b border-line py-1 pr-2 pl-4">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <p role="status" className="text-sm font-semibold">
            {summaryOf(findings)}
          </p>
          <span className="text-xs text-ink-3 tabular-nums">às {clockTime(at)}</span>
        </div>
        <Button size="sm" variant="ghost" icon={RotateCw} className="ml-auto flex-none" onClick={onRun}>
          Conferir de novo
        </Button>
      </header>
      <Findings label="Servidor" findings={machine} />
      {numbers.map((name) => (
        <div key={name} className="border-t border-line">
          <p className="truncate px-4 pt-3 text-sm font-semibold" title={name}>
            {name}
          </p>
          <Findings label={name} findings={findings.filter(({ instanceName }) => instanceName === name)} />
        </div>
      ))}
    </>
  )
}

function Findings({ label, findings }: { label: string; findings: readonly Finding[] }) {
  return (
    <ul aria-label={label} className="grid gap-2.5 px-4 py-3.5">
      {findings
        .toSorted((a, b) => rankOf(a) - rankOf(b))
        .map((finding) => (
          <FindingRow key={finding.check} finding={finding} />
        ))}
    </ul>
  )
}

/** What somebody has to do something about is first; the rest is in the order in which it was looked at. */
const ranks: Partial<Record<Finding['state'], number>> = { fault: 0, warning: 1, mended: 2 }
const rankOf = ({ state }: Finding) => ranks[state] ?? 3

function summaryOf(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const [faults, warnings] = [count('fault'), count('warning')]
  if (faults > 0) return faults === 1 ? '1 problema' : `${faults} problemas`
  if (warnings > 0) return warnings === 1 ? '1 ponto de atenção' : `${warnings} pontos de atenção`
  return 'Tudo certo'
}
