import { useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { getQuickResponseFile } from '#shared/settings/settings-endpoints.ts'
import { useUploadQuickResponseFile } from '#web/settings/form/mutations.ts'
import { ReplyFile } from '#web/settings/replies/reply-file.tsx'

/** The file or voice of a general quick response. */
export function QuickResponseAttachment({ index }: { index: number }) {
  const { watch, setValue, formState } = useFormContext<SystemSettings>()
  const upload = useUploadQuickResponseFile()
  const name = `quickResponses.${index}.file` as const
  const file = watch(name)
  const isSaved = formState.defaultValues?.quickResponses?.some((one) => one?.file?.name === file?.name)
  return (
    <ReplyFile
      file={file}
      url={file && isSaved ? getQuickResponseFile.path.replace(':name', file.name) : undefined}
      name={`da resposta ${index + 1}`}
      isUploading={upload.isPending}
      upload={upload.mutateAsync}
      onChange={(next) => setValue(name, next, { shouldValidate: true, shouldDirty: true })}
    />
  )
}
