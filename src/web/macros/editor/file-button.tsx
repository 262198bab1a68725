import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import type { MacroStep } from '#shared/macros/steps.ts'
import { maxUploadBytes, pickerExtensions } from '#shared/messages/media.ts'
import { fileTexts } from '#shared/text/text.ts'
import { useUploadStepFile } from '#web/macros/mutations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { toast } from '#web/ui/states/toast.ts'

export type StepFile = Extract<MacroStep, { kind: 'file' }>['file']

/** Chooses a file and uploads it. */
export function FileButton({
  label,
  className,
  onFile,
}: {
  label: string
  className?: string
  /** Called when it is uploaded, by then perhaps of an earlier render. */
  onFile: (file: StepFile) => void
}) {
  const upload = useUploadStepFile()
  const picker = useRef<HTMLInputElement>(null)
  const take = async (chosen: File | undefined) => {
    if (!chosen) return
    const fail = (description: string) => toast({ tone: 'error', title: 'Erro no upload', description })
    if (chosen.size > maxUploadBytes) return fail(fileTexts['media.too_large'])
    try {
      onFile(await upload.mutateAsync(chosen))
    } catch (error) {
      fail((error as Error).message)
    }
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept={pickerExtensions}
        aria-label={`${label}: escolher`}
        onChange={({ target }) => {
          void take(target.files?.[0])
          target.value = ''
        }}
      />
      <Button
        size="sm"
        icon={Paperclip}
        className={className}
        isBusy={upload.isPending}
        busyLabel="Enviando..."
        onClick={() => picker.current?.click()}
      >
        {label}
      </Button>
    </>
  )
}
