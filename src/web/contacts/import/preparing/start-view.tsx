import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import { dateTime } from '#web/platform/dates.ts'
import { FileName } from '#web/ui/file-name.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ImportPage } from '#web/contacts/import/import-page.tsx'
import { figure, lines, percentOf, stateTexts } from '#web/contacts/import/import-texts.ts'
import { FileZone } from './file-zone.tsx'

/** Where a file is chosen, above the imports so far. */
export function StartView({
  imports,
  onOpen,
}: {
  imports: readonly ContactImport[]
  onOpen: (id: number) => void
}) {
  return (
    <ImportPage>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Card title="Começo" className="flex flex-col">
          <div className="flex min-h-48 flex-col p-3">
            <FileZone onRead={({ id }) => onOpen(id)} />
          </div>
          <p className="border-t border-line px-4 py-3 text-xs text-ink-3">
            Numa planilha ou num CSV a primeira linha tem os nomes das colunas; nome e telefone são
            obrigatórios. Até 50 MB. Nada é gravado antes de você conferir.
          </p>
        </Card>
        <Card title="Últimas importações">
          {imports.length === 0 ? (
            <p className="px-4 py-10 text-center text-sm text-ink-2">Nenhum arquivo foi importado ainda.</p>
          ) : (
            <ul>
              {imports.map((job) => (
                <li key={job.id} className="border-t border-line first:border-t-0">
                  <button
                    type="button"
                    onClick={() => onOpen(job.id)}
                    className="grid w-full gap-0.5 px-4 py-2.5 text-left hover:bg-hover"
                  >
                    <span className="flex items-baseline gap-2">
                      <FileName name={job.fileName} className="flex-1 font-medium" />
                      <span className="flex-none text-xs text-ink-2">{stateText(job)}</span>
                    </span>
                    <span className="text-xs text-ink-3 tabular-nums">
                      {dateTime(job.createdAt)}, por {job.uploadedBy}: {lines(job.totalRows)}
                      {job.errors > 0 && `, ${figure(job.errors)} com erro`}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </ImportPage>
  )
}

function stateText({ state, doneRows, totalRows }: ContactImport): string {
  return state === 'running' ? `${stateTexts[state]}: ${percentOf(doneRows, totalRows)}%` : stateTexts[state]
}
