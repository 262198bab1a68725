import { FileX, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import { maxUploadBytes } from '#shared/messages/media.ts'
import { fileTexts } from '#shared/text/text.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { useUploadImport } from '#web/contacts/import/queries.ts'

/** Takes a file, by dropping or choosing it, and has it read. */
export function FileZone({ onRead }: { onRead: (read: ContactImport) => void }) {
  const { mutate, isPending, part, error, reset } = useUploadImport(onRead)
  const [tooLarge, setTooLarge] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (file: File | undefined) => {
    if (!file || isPending) return
    const isTooLarge = file.size > maxUploadBytes
    setTooLarge(isTooLarge)
    if (!isTooLarge) mutate(file)
  }
  const again = () => {
    reset()
    setTooLarge(false)
    input.current?.click()
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv,.xlsx,.vcf,.vcard,text/csv,text/vcard,text/x-vcard"
        aria-label="Arquivo de contatos"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {isPending ? (
        <p role="status" className="flex flex-1 items-center justify-center gap-2 py-16 text-sm text-ink-2">
          <Spinner size={20} className="text-ink-3" />
          {part < 1 ? `Enviando o arquivo: ${Math.floor(part * 100)}%` : 'Lendo o arquivo...'}
        </p>
      ) : error || tooLarge ? (
        <EmptyState
          role="alert"
          icon={FileX}
          {...(tooLarge ? { title: fileTexts['media.too_large'] } : wordsOf(error))}
          action={<Button onClick={again}>Escolher outro</Button>}
        />
      ) : (
        <DropArea onChoose={() => input.current?.click()} onFile={take} />
      )}
    </>
  )
}

/** The title says what is wrong, the text why. */
function wordsOf(error: Error | null): { title: string; description?: string } {
  const [title = '', reason] = error?.message.split(': ', 2) ?? []
  if (!(error instanceof ApiError) || error.code !== 'imports.unreadable' || reason === undefined)
    return { title: error?.message ?? '' }
  return { title, description: reason.charAt(0).toUpperCase() + reason.slice(1) }
}

function DropArea({ onChoose, onFile }: { onChoose: () => void; onFile: (file: File | undefined) => void }) {
  const [isOver, setOver] = useState(false)
  return (
    <button
      type="button"
      onClick={onChoose}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFile(event.dataTransfer.files[0])
      }}
      className={[
        'grid min-h-44 w-full place-content-center justify-items-center gap-1 rounded-card',
        'border-2 border-dashed border-accent px-4 py-8 text-accent-text',
        isOver ? 'bg-selected' : 'bg-accent-soft',
      ].join(' ')}
    >
      <Upload size={20} aria-hidden className="mb-1" />
      <span className="text-base font-medium">Solte um CSV, XLSX ou vCard aqui</span>
      <span className="text-xs">do jeito que o Excel ou a agenda salva, ou clique para escolher</span>
    </button>
  )
}
