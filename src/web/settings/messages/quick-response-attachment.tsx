import { FileText, Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { maxUploadBytes, pickerExtensions } from '#shared/messages/media.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { fileTexts } from '#shared/text/text.ts'
import { FileName } from '#web/ui/file-name.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useUploadQuickResponseFile } from '#web/settings/form/mutations.ts'

/** The file of a quick response: choose, name, remove. */
export function QuickResponseAttachment({ index }: { index: number }) {
  const { watch, setValue } = useFormContext<SystemSettings>()
  const upload = useUploadQuickResponseFile()
  const picker = useRef<HTMLInputElement>(null)
  const name = `quickResponses.${index}.file` as const
  const file = watch(name)

  const take = async (chosen: File | undefined) => {
    if (!chosen) return
    const fail = (description: string) => toast({ tone: 'error', title: 'Erro no upload', description })
    if (chosen.size > maxUploadBytes) return fail(fileTexts['media.too_large'])
    try {
      setValue(name, await upload.mutateAsync(chosen), { shouldValidate: true })
    } catch (error) {
      fail((error as Error).message)
    }
  }

  return (
    <div className="flex min-h-8 items-center gap-2 md:col-start-2">
      <input
        ref={picker}
        type="file"
        hidden
        accept={pickerExtensions}
        aria-label={`Arquivo da resposta ${index + 1}`}
        onChange={({ target }) => {
          void take(target.files?.[0])
          target.value = ''
        }}
      />
      {file ? (
        <>
          <FileText size={16} aria-hidden className="shrink-0 text-ink-3" />
          <FileName name={file.fileName} className="text-sm" />
          <span className="shrink-0 text-xs text-ink-3 tabular-nums">
            {(file.sizeBytes / 1024).toLocaleString('pt-BR', { maximumFractionDigits: 0 })} KB
          </span>
          <IconButton
            icon={X}
            size="sm"
            label={`Tirar o arquivo da resposta ${index + 1}`}
            onClick={() => setValue(name, undefined)}
          />
        </>
      ) : (
        <Button
          size="sm"
          variant="ghost"
          icon={Paperclip}
          isBusy={upload.isPending}
          busyLabel="Enviando..."
          onClick={() => picker.current?.click()}
        >
          Anexar arquivo
        </Button>
      )}
    </div>
  )
}
