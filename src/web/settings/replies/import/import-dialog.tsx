import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import type { OwnedReply } from '#shared/quick-replies/quick-replies.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { useSaveSettings } from '#web/settings/form/mutations.ts'
import { useImportReplies } from '#web/settings/replies/mutations.ts'
import { useManagedSectors } from '#web/settings/replies/use-managed-sectors.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cut } from '#web/ui/cut.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan } from '#web/users/users.tsx'
import { type Planned, planImport } from './plan.ts'
import { type ReadFile, readReplies, Unreadable } from './read-file.ts'

/** More than any team has written. */
const mostBytes = 5_000_000

const states = {
  new: { label: 'Vem', tone: 'green' },
  renamed: { label: 'Outro atalho', tone: 'blue' },
  there: { label: 'Já existe', tone: 'neutral' },
  refused: { label: 'Não vem', tone: 'amber' },
} as const

/** Brings the prepared texts of another product: shows what comes of its file, and then makes them. */
export function ImportDialog({ known, onClose }: { known: readonly OwnedReply[]; onClose: () => void }) {
  const sectors = useManagedSectors()
  const managesGeneral = useCan('openAdvancedSettings')
  const settings = useQuery({ ...settingsQueries.system(), enabled: managesGeneral }).data
  const [to, setTo] = useState('own')
  const [read, setRead] = useState<ReadFile & { name: string }>()
  const [trouble, setTrouble] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const bring = useImportReplies()
  const save = useSaveSettings()

  const general = settings?.quickResponses ?? []
  const sectorId = to === 'own' || to === 'general' ? null : Number(to)
  const there = to === 'general' ? general : known.filter((reply) => reply.sectorId === sectorId)
  const planned = read ? planImport(read, there) : []
  const coming = planned.filter(({ state }) => state === 'new' || state === 'renamed')

  const take = async (file: File | undefined) => {
    if (!file) return
    setTrouble(undefined)
    setRead(undefined)
    if (file.size > mostBytes) return setTrouble('O arquivo é grande demais.')
    try {
      setRead({ ...readReplies(new Uint8Array(await file.arrayBuffer())), name: file.name })
    } catch (error) {
      setTrouble(error instanceof Unreadable ? error.message : 'Não foi possível ler o arquivo.')
    }
  }
  const submit = async () => {
    const replies = coming.map(({ shortcut, text }) => ({ shortcut, text }))
    try {
      await (to === 'general'
        ? save.mutateAsync({ quickResponses: [...general, ...replies], version: settings?.version })
        : bring.mutateAsync({ sectorId, replies }))
      toast({ tone: 'success', title: importedText(replies.length) })
      onClose()
    } catch (error) {
      toast({ tone: 'error', title: `As respostas não foram importadas: ${reasonOf(error as Error)}` })
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Importar respostas rápidas"
      description="Do Chatwoot, do Ticketz ou do Whaticket: um arquivo CSV ou JSON, com atalho e texto."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            disabled={coming.length === 0}
            isBusy={bring.isPending || save.isPending}
            busyLabel="Importando..."
            onClick={() => void submit()}
          >
            {coming.length === 0 ? 'Importar' : `Importar ${coming.length}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={picker}
          type="file"
          hidden
          accept=".csv,.json,.txt"
          aria-label="Arquivo de respostas"
          onChange={({ target }) => {
            void take(target.files?.[0])
            target.value = ''
          }}
        />
        <Button icon={FileUp} onClick={() => picker.current?.click()}>
          {read ? 'Escolher outro arquivo' : 'Escolher arquivo'}
        </Button>
        {read && (
          <span className="min-w-0 truncate text-sm text-ink-2" title={read.name}>
            {cut(read.name)}
          </span>
        )}
      </div>
      {trouble && (
        <p role="alert" className="text-sm text-red-text">
          {trouble}
        </p>
      )}
      {(sectors.length > 0 || managesGeneral) && (
        <Field label="Quem usa">
          {(field) => (
            <Select
              {...field}
              value={to}
              onChange={setTo}
              options={[
                { value: 'own', label: 'Só eu' },
                ...sectors.map(({ id, name }) => ({ value: String(id), label: name })),
                ...(managesGeneral ? [{ value: 'general', label: 'Toda a equipe' }] : []),
              ]}
            />
          )}
        </Field>
      )}
      {read && <Preview planned={planned} />}
    </Dialog>
  )
}

function Preview({ planned }: { planned: readonly Planned[] }) {
  const count = (...wanted: Planned['state'][]) =>
    planned.filter(({ state }) => wanted.includes(state)).length
  const [renamed, there, refused] = [count('renamed'), count('there'), count('refused')]
  return (
    <section aria-label="O que vem" className="grid gap-2">
      <p role="status" className="text-sm text-ink-2">
        {[
          comingText(count('new', 'renamed')),
          renamed > 0 && `${renamed} com outro atalho`,
          there > 0 && `${there} já ${there === 1 ? 'existe' : 'existem'}`,
          refused > 0 && `${refused} não ${refused === 1 ? 'vem' : 'vêm'}`,
        ]
          .filter((part) => part !== false)
          .join(', ')}
        .
      </p>
      <ul
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        aria-label="Respostas do arquivo"
        className="max-h-64 overflow-y-auto rounded-card border border-line"
      >
        {planned.map(({ shortcut, text, state, notes }, at) => (
          <li
            key={`${at} ${shortcut}`}
            className="grid gap-0.5 border-t border-line px-3 py-2 text-sm first:border-t-0"
          >
            <span className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate font-semibold" title={shortcut}>
                {shortcut === '' ? '–' : `/${shortcut}`}
              </span>
              <Badge tone={states[state].tone}>{states[state].label}</Badge>
            </span>
            {text !== '' && (
              <span className="truncate text-ink-2" dir="auto" title={text}>
                {cut(text)}
              </span>
            )}
            {notes.length > 0 && <span className="text-xs text-ink-3">{notes.join('; ')}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

const comingText = (count: number) => (count === 1 ? '1 vem' : `${count} vêm`)
const importedText = (count: number) =>
  count === 1 ? '1 resposta rápida importada' : `${count} respostas rápidas importadas`
